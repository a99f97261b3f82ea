# Loads a dataset with the tidyverse, prints two tables and draws two plots.
#
#     tetrion run lee --mode sprint --games 1000 --record sprints.csv
#     Rscript examples/analysis.R sprints.csv

suppressPackageStartupMessages(library(tidyverse))

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) stop("usage: Rscript analysis.R FILE.csv (from tetrion run ... --record FILE.csv)")
path <- arguments[[1]]

# A seed has 64 bits, more than R's numbers hold.
placements <- read_csv(path, col_types = cols(seed = col_character(), time = col_double(), clear = col_character()))

keys <- placements |>
  group_by(piece) |>
  summarise(placements = n(), keys = mean(keys), held = mean(held))
print(keys)

heights <- placements |>
  group_by(index) |>
  summarise(mean = mean(height), low = quantile(height, 0.1), high = quantile(height, 0.9))
print(head(heights))

beside <- function(name) file.path(dirname(path), name)
bars <- ggplot(keys, aes(piece, keys)) +
  geom_col() +
  labs(title = "Keys by piece", x = "piece", y = "keys per placement")
ggsave(beside("keys-by-piece.png"), bars, width = 7, height = 5)

lines <- ggplot(heights, aes(index)) +
  geom_ribbon(aes(ymin = low, ymax = high), alpha = 0.2) +
  geom_line(aes(y = mean)) +
  labs(title = "Height over time", subtitle = "mean, and 10 to 90 % of games", x = "placement", y = "height of the stack, in rows")
ggsave(beside("height-over-time.png"), lines, width = 7, height = 5)
