"""Print a script that lets a shell complete commands, options, their values and files when Tab is pressed.

Examples:
  disconer completion bash > ~/.local/share/bash-completion/completions/disconer
  disconer completion zsh > ~/.zsh/completions/_disconer
  disconer completion fish > ~/.config/fish/completions/disconer.fish

Make the folder first (mkdir -p), and begin a new shell afterwards. bash reads that folder when the package
bash-completion is installed; without it, write the script to any file and add `source FILE` to ~/.bashrc. zsh needs
`fpath+=(~/.zsh/completions)` in ~/.zshrc, above the line that calls compinit. The script does not run disconer, so that
Tab answers at once: write it again after an upgrade.
"""

from argparse import ArgumentParser, Namespace

from disconer.cli.completion import bash, fish, zsh
from disconer.cli.completion.grammar import grammar

SHELLS = {"bash": bash.script, "zsh": zsh.script, "fish": fish.script}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=f"one of {', '.join(SHELLS)}")


def run(arguments: Namespace) -> None:
    print(SHELLS[arguments.shell](grammar()), end="")
