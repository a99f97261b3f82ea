//! Builds again when a file of the page comes or goes: the compiler only knows of those that were there.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
}
