//! The options, of which one for each hyper-parameter comes from their list.

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use std::path::PathBuf;
use tetrion_training::parameters;

/// What to train, and where.
#[derive(clap::Args)]
pub struct Options {
    /// What to train by: a name that --list shows, or the path of a .toml file
    pub recipe: Option<String>,
    /// The folder of the run; a new one
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Go on with the run in that folder
    #[arg(long)]
    pub resume: bool,
    /// Go on from the checkpoint before the newest
    #[arg(long)]
    pub previous: bool,
    /// How many threads [default: one a core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Run all combinations of values of hyper-parameters; `recipe` is one too
    #[arg(long, value_name = "NAME=VALUE,VALUE")]
    pub sweep: Vec<String>,
    /// Run each combination so often, with different seeds
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub repeats: Option<u16>,
    /// List the recipes
    #[arg(long)]
    pub list: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub changes: Changes,
}

/// Hyper-parameters with the values that they are given: an option for each.
#[derive(Clone, Debug, Default)]
pub struct Changes(pub Vec<(String, String)>);

impl Args for Changes {
    fn augment_args(command: Command) -> Command {
        let options = parameters::ALL.iter().map(|parameter| {
            Arg::new(parameter.name)
                .long(parameter.name)
                .value_name("VALUE")
                .allow_hyphen_values(true)
                .help(parameter.help)
                .help_heading("Hyper-parameters, instead of those of the recipe")
        });
        command.args(options)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Changes::augment_args(command)
    }
}

impl FromArgMatches for Changes {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Changes, Error> {
        let mut changes = Changes::default();
        changes.update_from_arg_matches(matches)?;
        Ok(changes)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        let given = parameters::ALL.iter().filter_map(|parameter| {
            let value = matches.get_one::<String>(parameter.name)?;
            Some((parameter.name.to_owned(), value.clone()))
        });
        self.0 = given.collect();
        Ok(())
    }
}
