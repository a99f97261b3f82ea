//! The options. Each hyper-parameter has one, which comes from their list.

use crate::UsageError;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use std::path::{Path, PathBuf};
use tetrion_training::parameters;

/// What to train, and where.
#[derive(clap::Args)]
pub struct Options {
    /// Recipe: a name that --list shows, or the path of a .toml file
    pub recipe: Option<String>,
    /// Create this folder for the run
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Resume the run in this folder
    #[arg(long, value_name = "DIR", num_args = 0..=1)]
    pub resume: Option<Option<PathBuf>>,
    /// Resume from the checkpoint before the newest
    #[arg(long)]
    pub previous: bool,
    /// Number of threads [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Run all combinations of values of hyper-parameters; recipe=NAME,NAME works too
    #[arg(long, value_name = "NAME=VALUE,VALUE")]
    pub sweep: Vec<String>,
    /// Run each combination of a sweep this many times, with different seeds
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub repeats: Option<u16>,
    /// List the built-in recipes
    #[arg(long)]
    pub list: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub changes: Changes,
}

impl Options {
    /// The folder of the run: `--out DIR` for a new one, `--resume DIR` or `--out DIR --resume` for an existing one.
    pub fn folder(&self) -> Result<&Path, UsageError> {
        match (&self.resume, &self.out) {
            (Some(Some(folder)), None) | (Some(None) | None, Some(folder)) => Ok(folder),
            (Some(Some(folder)), Some(out)) => Err(UsageError(format!(
                "both --resume {} and --out {} name a folder: omit --out to resume the run in the first",
                folder.display(),
                out.display()
            ))),
            (Some(None), None) => Err(UsageError("name the folder of the run: --resume DIR".to_owned())),
            (None, None) => Err(UsageError("name a folder for the run: --out DIR".to_owned())),
        }
    }
}

/// Hyper-parameters that were given, with their values.
#[derive(Clone, Debug, Default)]
pub struct Changes(pub Vec<(String, String)>);

impl Args for Changes {
    fn augment_args(command: Command) -> Command {
        let options = parameters::HYPER_PARAMETERS.iter().map(|parameter| {
            Arg::new(parameter.name)
                .long(parameter.name)
                .value_name("VALUE")
                .allow_hyphen_values(true)
                .help(parameter.help())
                .help_heading("Hyper-parameters, which override the recipe")
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
        let given = parameters::HYPER_PARAMETERS.iter().filter_map(|parameter| {
            let value = matches.get_one::<String>(parameter.name)?;
            Some((parameter.name.to_owned(), value.clone()))
        });
        self.0 = given.collect();
        Ok(())
    }
}
