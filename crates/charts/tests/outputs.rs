//! Charts and galleries of all kinds of data, also degenerate data.

#![allow(clippy::unwrap_used)]

use tetrion_charts::{Axis, Chart, Drawn, Gallery, Marks, Ranked, Ranking, Scale, Series};
use tiny_skia::Pixmap;

fn chart(series: Vec<Series>, scale: Scale) -> Chart {
    let axis = |label: &str| Axis { label: label.to_owned(), scale };
    Chart { title: "A chart".to_owned(), x: axis("generation"), y: axis("fitness"), series }
}

/// The same points with every kind of mark.
fn all_marks(points: &[(f64, f64)]) -> Vec<Series> {
    let band = points.iter().map(|&(x, y)| (x, y - 1.0, y + 1.0));
    vec![
        Series::new("line", Marks::Line(points.to_vec())),
        Series::new("dashed", Marks::Dashed(points.to_vec())),
        Series::new("points", Marks::Points(points.to_vec())),
        Series::new("band", Marks::Band(band.collect())),
    ]
}

/// Checks both outputs of a chart and returns the SVG.
fn check(chart: &Chart) -> String {
    let (svg, png) = (chart.svg(), chart.png());
    roxmltree::Document::parse(&svg).unwrap();
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    let pixmap = Pixmap::decode_png(&png).unwrap();
    assert_eq!((pixmap.width(), pixmap.height()), (1_600, 1_000));
    svg
}

#[test]
fn the_same_chart_gives_the_same_bytes() {
    let points: Vec<_> = (0..50).map(|index| (f64::from(index), f64::from(index * index))).collect();
    let series = || all_marks(&points).into_iter().chain(all_marks(&points[20..]));
    let chart = || chart(series().collect(), Scale::Linear);
    assert_eq!((chart().svg(), chart().png()), (chart().svg(), chart().png()));
}

#[test]
fn degenerate_data() {
    let (nan, infinity) = (f64::NAN, f64::INFINITY);
    let sets: [&[(f64, f64)]; 14] = [
        &[],
        &[(0.0, 0.0)],
        &[(3.0, 41.5)],
        &[(1.0, 7.0), (2.0, 7.0), (3.0, 7.0)],
        &[(5.0, 1.0), (5.0, 2.0)],
        &[(nan, nan), (1.0, nan), (nan, 1.0)],
        &[(1.0, 2.0), (2.0, nan), (3.0, infinity), (4.0, -infinity), (5.0, 3.0)],
        &[(infinity, 1.0), (1.0, 1.0), (2.0, 1.5)],
        &[(1.0, -1e308), (2.0, 1e308), (3.0, f64::MAX), (4.0, f64::MIN)],
        &[(1e-300, 1e-300), (1e300, 1e300)],
        &[(1.0, 5e-324), (2.0, 1e-310)],
        &[(1.0, 1e15), (2.0, 1e15 + 1.0)],
        &[(-5.0, 0.0), (0.0, -2.0), (1.0, -3.0)],
        &[(3.0, 1.0), (1.0, 2.0), (2.0, 0.5)],
    ];
    for points in sets {
        for scale in [Scale::Linear, Scale::Log] {
            check(&chart(all_marks(points), scale));
        }
    }
    check(&chart(Vec::new(), Scale::Linear));
}

#[test]
fn what_cannot_be_drawn_leaves_a_gap() {
    let lines = |points: &[(f64, f64)]| {
        let blue = "stroke=\"#0072b2\"";
        check(&chart(vec![Series::new("", Marks::Line(points.to_vec()))], Scale::Linear))
            .matches(blue)
            .count()
    };
    assert_eq!(lines(&[(1.0, 1.0), (2.0, 2.0), (3.0, 1.0), (4.0, 2.0), (5.0, 3.0)]), 1);
    assert_eq!(lines(&[(1.0, 1.0), (2.0, 2.0), (3.0, f64::NAN), (4.0, 2.0), (5.0, 3.0)]), 2);
}

#[test]
fn a_chart_without_data_says_so() {
    assert!(check(&chart(all_marks(&[]), Scale::Linear)).contains("no data"));
    assert!(check(&chart(all_marks(&[(-1.0, -1.0)]), Scale::Log)).contains("no data"));
    assert!(!check(&chart(all_marks(&[(1.0, 1.0)]), Scale::Log)).contains("no data"));
}

#[test]
fn many_points_make_a_small_picture() {
    let noise = |index: u32| f64::from(index.wrapping_mul(2_654_435_761) >> 12);
    let points: Vec<_> = (0..100_000).map(|index| (f64::from(index), noise(index))).collect();
    for series in all_marks(&points) {
        let size = check(&chart(vec![series], Scale::Linear)).len();
        assert!(size < 1_200_000, "{size}");
    }
}

#[test]
fn many_series_leave_room_for_the_plot() {
    for (count, name) in [(14, "landing height"), (120, "x"), (40, "a name as long as nobody should give")] {
        let line = |index: usize| Marks::Line(vec![(0.0, index as f64), (1.0, 2.0 * index as f64)]);
        let series = (0..count).map(|index| Series::new(format!("{name} {index}"), line(index)));
        let svg = check(&chart(series.collect(), Scale::Linear));
        let document = roxmltree::Document::parse(&svg).unwrap();
        let texts = || document.descendants().filter(|node| node.has_tag_name("text"));
        let names = texts().filter(|node| node.text().unwrap().starts_with(&name[..1]));
        let lowest = names.map(|node| node.attribute("y").unwrap().parse::<f64>().unwrap());
        assert!(lowest.fold(0.0, f64::max) < 160.0);
        assert!(count < 40 || svg.contains(" more</text>"));
    }
}

#[test]
fn any_text_is_text() {
    let hostile = "<b> & \"quotes\" ]]> \0\u{1b}\u{FFFF}\n 漢字 <script>alert(1)</script>";
    let mut chart = chart(vec![Series::new(hostile, Marks::Points(vec![(1.0, 1.0)]))], Scale::Linear);
    (chart.title, chart.x.label, chart.y.label) =
        (hostile.to_owned(), hostile.to_owned(), hostile.to_owned());
    let svg = check(&chart);
    let document = roxmltree::Document::parse(&svg).unwrap();
    assert!(!svg.contains("<b>") && !svg.contains("<script>"));
    let texts: Vec<_> = document.descendants().filter_map(|node| node.text()).collect();
    assert!(texts.iter().filter(|text| text.starts_with("<b> & \"quotes\" ]]>")).count() >= 4);
    chart.title = "w".repeat(100_000);
    check(&chart);
    chart.title = "many words ".repeat(10_000);
    check(&chart);
}

#[test]
fn galleries_of_any_size() {
    let board = |columns: usize, rows: usize| Drawn {
        rows: (0..rows).map(|row| (0..columns).map(|column| (row + column) % 2 == 0).collect()).collect(),
        caption: format!("{columns} < {rows} & a caption that is long"),
    };
    let galleries = [
        Vec::new(),
        vec![board(0, 0)],
        vec![board(0, 5), board(10, 20)],
        vec![Drawn { rows: vec![vec![], vec![true; 9], vec![false; 2]], caption: String::new() }],
        vec![board(300, 300), board(1, 1)],
        (1..100).map(|size| board(size % 7, size % 5)).collect(),
        vec![board(2, 2); 900],
    ];
    for boards in galleries {
        let gallery = Gallery { title: "Boards < 10 & more".to_owned(), boards };
        let (svg, png) = (gallery.svg(), gallery.png());
        let document = roxmltree::Document::parse(&svg).unwrap();
        let side = |name| document.root_element().attribute(name).unwrap().parse::<f64>().unwrap();
        let pixmap = Pixmap::decode_png(&png).unwrap();
        let scale = 2f64.min(16_000.0 / side("height"));
        assert_eq!(f64::from(pixmap.width()), (scale * side("width")).round());
        assert_eq!(f64::from(pixmap.height()), (scale * side("height")).round());
    }
}

#[test]
fn rankings_are_the_same_in_both_outputs() {
    let ranked = |name: &str, value: f64, margin: f64| Ranked {
        name: name.to_owned(),
        value,
        interval: [value - margin, value + margin],
    };
    let many = (0..60)
        .map(|at| ranked("a name that is far too long for the room beside the values", f64::from(at), 3.0));
    for rows in [
        Vec::new(),
        vec![ranked("one", 0.0, 0.0)],
        vec![
            ranked("<one> & \"two\"", 120.0, 30.0),
            ranked("", f64::NAN, f64::INFINITY),
            ranked("x", -80.0, 1e300),
        ],
        many.collect(),
    ] {
        let count = rows.len();
        let ranking = Ranking { title: "Ratings".to_owned(), label: "Elo".to_owned(), rows };
        let (svg, png) = (ranking.svg(), ranking.png());
        let document = roxmltree::Document::parse(&svg).unwrap();
        let side = |name| document.root_element().attribute(name).unwrap().parse::<f64>().unwrap();
        assert!(side("height") > 26.0 * count as f64);
        let pixmap = Pixmap::decode_png(&png).unwrap();
        assert_eq!(f64::from(pixmap.width()), 2.0 * side("width"));
    }
}
