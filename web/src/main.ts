import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { frameWork } from "./game/runner.svelte";

// For those who measure: what the frames of the running game took, in milliseconds.
Object.assign(window, { tetrion: { frameWork } });

const target = document.getElementById("app");
if (target) mount(App, { target });
