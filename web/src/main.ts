import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { thinking } from "./engine/thinker";
import { frameWork } from "./game/shown";

// For those who measure: what the last frames and thoughts took, in milliseconds.
Object.assign(window, { tetrion: { frameWork, thinking } });

const target = document.getElementById("app");
if (target) mount(App, { target });
