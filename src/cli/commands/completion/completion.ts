// `tandem completion`: a script that lets a shell complete commands, options and the words that options take.

import type { Command } from "commander";
import { oneOf } from "../../arguments.ts";
import { type CommandNode, readTree } from "../../command-tree.ts";
import { print, printResult } from "../../output.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { zshScript } from "./zsh.ts";

const HELP = `
The script is made from the commands of this version: make it anew after an update.

Examples:
  tandem completion bash > ~/.local/share/bash-completion/completions/tandem
  tandem completion zsh > "\${fpath[1]}/_tandem"
  tandem completion fish > ~/.config/fish/completions/tandem.fish
  eval "$(tandem completion bash)"       for this shell alone; zsh likewise
`;

type Shell = "bash" | "zsh" | "fish";

const SCRIPTS: Readonly<Record<Shell, (program: CommandNode) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
const SHELLS: readonly Shell[] = ["bash", "zsh", "fish"];

export function addCompletionCommand(program: Command): void {
  program
    .command("completion")
    .summary("let your shell complete commands")
    .description("Print a script that lets a shell complete commands, options and their words.")
    .argument("<shell>", SHELLS.join(", "), oneOf(SHELLS))
    .option("--json", "print JSON")
    .addHelpText("after", HELP)
    .action((shell: Shell, flags: { readonly json?: true }) => {
      const script = SCRIPTS[shell](readTree(program));
      printResult({ shell, script }, flags, () => print(script));
    });
}
