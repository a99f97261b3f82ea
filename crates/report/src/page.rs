//! The report: one HTML page that needs no network, with its charts beside it as PNG.

use crate::analysis::{Analysis, ClaimResult, Verdict};
use crate::measure::{Estimate, Measure};
use crate::study_file::{ChartSpec, Claim, StudyFile};
use std::fmt::Write;
use tetrion_charts::{Ranked, Ranking};
use tetrion_engine::words::{counted, thousands};

/// The page of a study.
pub fn page(study: &StudyFile, analysis: &Analysis) -> String {
    let mut body =
        format!("<h1>{}</h1>\n<p class=\"question\">{}</p>\n", escape(&study.title), escape(&study.question));
    body += "<section>\n<h2>Findings</h2>\n";
    for (claim, result) in study.claims.iter().zip(&analysis.claims) {
        body += &finding(claim, result, study.claims.len());
    }
    body += "</section>\n<section>\n<h2>Charts</h2>\n";
    for spec in &study.charts {
        let chart = ranking(study, analysis, spec);
        writeln!(
            body,
            "<figure>{}<figcaption>{}</figcaption></figure>",
            chart.svg(),
            escape(&caption(study))
        )
        .expect(WRITABLE);
    }
    body += "</section>\n<section>\n<h2>Tables</h2>\n";
    body += &runs_table(study, analysis);
    body += &claims_table(study, analysis);
    write!(
        body,
        "</section>\n<section>\n<h2>Method</h2>\n<p>{}</p>\n<p>Each run plays {} with the seeds of run seed {}, so that every run gets the same \
         pieces. Means have 95 % intervals by the bootstrap (BCa), shares by Clopper and Pearson. Claims compare games with the same \
         pieces that both runs finished: the mean difference with its bootstrap interval, its size in standard deviations, and a \
         permutation test of the signs, corrected for {} by Holm's method. A claim holds if its whole interval is on the \
         claimed side and its corrected p is at most 0.05, and is refuted if the same is true on the other side.</p>\n<p>Repeat it, or change the file and run that:</p>\n\
         <pre>tetrion study {} --out {}\ntetrion study {}/study.toml --out OTHER</pre>\n\
         <details><summary>The study's file</summary><pre>{}</pre></details>\n</section>\n",
        escape(study.method.trim()),
        counted(study.games, "game"),
        thousands(study.seed),
        counted(study.claims.len() as u64, "claim"),
        study.name,
        study.name,
        study.name,
        escape(&toml::to_string(study).unwrap_or_default()),
    )
    .expect(WRITABLE);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>{STYLE}</style>\n</head>\n\
         <body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escape(&study.title)
    )
}

/// Strings can be written to.
const WRITABLE: &str = "a string can be written to";

/// A chart as it is drawn.
pub fn ranking(study: &StudyFile, analysis: &Analysis, spec: &ChartSpec) -> Ranking {
    let estimates = analysis.estimates(&spec.measure);
    let row = |name: &String| {
        let index = study.runs.iter().position(|run| run.name == *name)?;
        let estimate = estimates.get(index).copied().flatten()?;
        let scale = if spec.measure.is_share() { 100.0 } else { 1.0 };
        let Estimate { mean, ci95, .. } = estimate;
        Some(Ranked { name: name.clone(), value: scale * mean, interval: ci95.map(|end| scale * end) })
    };
    Ranking {
        title: spec.title.clone(),
        label: spec.label.clone(),
        rows: spec.runs.iter().filter_map(row).collect(),
    }
}

fn caption(study: &StudyFile) -> String {
    format!(
        "Means of {} and their 95 % intervals. All runs play the same pieces.",
        counted(study.games, "game")
    )
}

/// A claim with what the games say, in a sentence.
fn finding(claim: &Claim, result: &ClaimResult, claims: usize) -> String {
    let compared = &result.comparison;
    let (what, unit, scale) = match claim.measure.is_share() {
        true => ("share of games with", " percentage points", 100.0),
        false => ("mean of", "", 1.0),
    };
    let is_lower = compared.difference <= 0.0;
    let amount = match compared.difference {
        0.0 => "the same".to_owned(),
        difference => {
            format!(
                "{}{unit} {}",
                digits(scale * difference.abs()),
                if is_lower { "lower" } else { "higher" }
            )
        }
    };
    let interval = match compared.ci95 {
        Some([low, high]) => {
            let [low, high] = if is_lower { [-high, -low] } else { [low, high] };
            format!("95 % interval {} to {}", digits(scale * low), digits(scale * high))
        }
        None => "alike in every game".to_owned(),
    };
    let (class, conclusion) = match result.verdict {
        Verdict::Holds => {
            ("holds", "An interval wholly on the other side of zero would have refuted the claim.")
        }
        Verdict::Refuted => ("refuted", "The claim was the opposite."),
        Verdict::Undecided => {
            ("undecided", "Chance alone could make such a difference, so the games don't decide the claim.")
        }
    };
    format!(
        "<article class=\"finding {class}\">\n<p class=\"verdict\">{}</p>\n<h3>{}</h3>\n<p>On the same pieces, the {what} <b>{}</b> is \
         <b>{amount}</b> in “{}” {} in “{}” ({interval}; {:.2} standard deviations; {}; p {}{}). {conclusion}</p>\n</article>\n",
        result.verdict.word(),
        escape(&claim.text),
        escape(&claim.measure.to_string()),
        escape(&claim.less),
        if compared.difference == 0.0 { "and" } else { "than" },
        escape(&claim.than),
        compared.effect.abs(),
        counted(compared.pairs as u64, "game"),
        p_text(result.corrected_p),
        if claims > 1 { ", corrected" } else { "" },
    )
}

fn runs_table(study: &StudyFile, analysis: &Analysis) -> String {
    let mut table = "<div class=\"table\"><table>\n<caption>Every run: means with their 95 % intervals</caption>\n<tr><th>run</th><th>games</th><th>lost</th>".to_owned();
    for result in &analysis.measures {
        write!(table, "<th>{}</th>", escape(&result.measure.to_string())).expect(WRITABLE);
    }
    table += "</tr>\n";
    for (index, run) in study.runs.iter().enumerate() {
        let outcomes = &analysis.outcomes[index];
        let (games, lost) = (outcomes.values().sum::<u64>(), outcomes.get("top_out").copied().unwrap_or(0));
        write!(
            table,
            "<tr><th>{}</th><td>{}</td><td>{}</td>",
            escape(&run.name),
            thousands(games),
            thousands(lost)
        )
        .expect(WRITABLE);
        for result in &analysis.measures {
            write!(table, "<td>{}</td>", estimate_text(&result.measure, result.runs[index])).expect(WRITABLE);
        }
        table += "</tr>\n";
    }
    table + "</table></div>\n"
}

fn claims_table(study: &StudyFile, analysis: &Analysis) -> String {
    let mut table = "<div class=\"table\"><table>\n<caption>Every claim: the first run minus the second, on the same pieces</caption>\n<tr><th>measure</th><th>first</th>\
                     <th>second</th><th>difference</th><th>95 % interval</th><th>effect</th><th>first greater minus smaller</th>\
                     <th>p, corrected</th><th>verdict</th></tr>\n"
        .to_owned();
    for (claim, result) in study.claims.iter().zip(&analysis.claims) {
        let compared = &result.comparison;
        let interval = compared
            .ci95
            .map_or("none".to_owned(), |[low, high]| format!("{} to {}", digits(low), digits(high)));
        writeln!(
            table,
            "<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{interval}</td><td>{}</td><td>{} %</td><td>{}</td><td>{}</td></tr>",
            escape(&claim.measure.to_string()),
            escape(&claim.less),
            escape(&claim.than),
            digits(compared.difference),
            digits(compared.effect),
            digits(100.0 * compared.dominance),
            p_text(result.corrected_p),
            result.verdict.word(),
        )
        .expect(WRITABLE);
    }
    table + "</table></div>\n"
}

fn estimate_text(measure: &Measure, estimate: Option<Estimate>) -> String {
    let Some(Estimate { mean, ci95: [low, high], .. }) = estimate else { return "no game".to_owned() };
    match measure.is_share() {
        true => format!("{:.1} % <small>{:.1} to {:.1}</small>", 100.0 * mean, 100.0 * low, 100.0 * high),
        false => format!("{} <small>{} to {}</small>", digits(mean), digits(low), digits(high)),
    }
}

/// A number with as many decimals as help: large ones have none, small ones three.
fn digits(value: f64) -> String {
    match value.abs() {
        size if size >= 9_999.5 => {
            let sign = if value < 0.0 { "−" } else { "" };
            format!("{sign}{}", thousands(size.round() as u64))
        }
        size if size >= 999.95 => format!("{value:.1}").replace('-', "−"),
        size if size >= 1.0 => format!("{value:.2}").replace('-', "−"),
        _ => format!("{value:.3}").replace('-', "−"),
    }
}

fn p_text(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// Text in HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Charts are drawn for white paper: in the dark, their light is turned round and their hues stay.
const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1b1d22; --soft: #5b6270; --paper: #fff; --raised: #f4f5f7; --line: #d9dce2; --good: #187a4c; --bad: #b3372f; --open: #7a5d00; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaee; --soft: #a5adba; --paper: #14161a; --raised: #1d2026; --line: #333842; --good: #5fd09a; --bad: #ff8b80; --open: #e5c158; }
  figure svg { filter: invert(0.92) hue-rotate(180deg); }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 52rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 0.5rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 0.75rem; }
h3 { font-size: 1.05rem; margin: 0 0 0.35rem; }
.question { color: var(--soft); font-size: 1.1rem; margin: 0; }
.finding { background: var(--raised); border-left: 4px solid var(--open); border-radius: 6px; padding: 0.9rem 1.1rem; margin: 0 0 0.9rem; break-inside: avoid; }
.finding p { margin: 0; }
.finding.holds { border-color: var(--good); }
.finding.refuted { border-color: var(--bad); }
.verdict { font-weight: 700; font-size: 0.8rem; letter-spacing: 0.06em; text-transform: uppercase; color: var(--open); }
.holds .verdict { color: var(--good); }
.refuted .verdict { color: var(--bad); }
figure { margin: 0 0 1.5rem; break-inside: avoid; }
figure svg { display: block; width: 100%; height: auto; }
figcaption, caption, small { color: var(--soft); font-size: 0.85rem; }
small { display: block; white-space: nowrap; }
.table { overflow-x: auto; margin-bottom: 1.5rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.9rem; }
caption { text-align: left; padding-bottom: 0.4rem; }
th, td { padding: 0.4rem 0.9rem 0.4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
tr:first-child th { color: var(--soft); font-weight: 600; }
pre { background: var(--raised); padding: 0.9rem 1.1rem; border-radius: 6px; overflow-x: auto; font-size: 0.85rem; }
@media print { .table { overflow: visible; } details { display: none; } }
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_decimals_that_help() {
        let cases = [
            (48_612.4, "48,612"),
            (-48_612.4, "−48,612"),
            (1_234.56, "1234.6"),
            (101.654, "101.65"),
            (-0.2154, "−0.215"),
        ];
        for (value, text) in cases {
            assert_eq!(digits(value), text);
        }
        assert_eq!((p_text(0.0001), p_text(0.0499)), ("< 0.001".to_owned(), "0.050".to_owned()));
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("<b> & \"c\""), "&lt;b&gt; &amp; &quot;c&quot;");
    }
}
