//! `bindgen FILE.wasm DIR`: writes the JavaScript, the types and the WASM that the page imports.

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(input), Some(folder)) = (arguments.next(), arguments.next()) else {
        anyhow::bail!("usage: bindgen FILE.wasm DIR");
    };
    Bindgen::new()
        .input_path(&input)
        .web(true)?
        .typescript(true)
        .remove_producers_section(true)
        .remove_name_section(true)
        .generate(&folder)
        .with_context(|| format!("no JavaScript was made for {input}"))
}
