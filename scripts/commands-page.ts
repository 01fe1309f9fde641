// Generates docs/commands.md from the program itself: every command with its arguments, options and examples.

import { type CommandNode, type CommandOption, nodesOf, readTree } from "../src/cli/command-tree.ts";
import { makeProgram } from "../src/cli/program.ts";

const INTRODUCTION = `# Commands

Every command of \`tandem\`, made from the program itself by \`npm run generate\`; \`tandem COMMAND --help\` says the same. [cli.md](cli.md) tells how they are used.

Commands that ask a server take these options, too, and all take \`--json\` and \`--help\`:
`;

const SIGN_IN = new Set(["--url", "--account", "--token", "--profile"]);

export function commandsPage(): string {
  const program = readTree(makeProgram());
  const lookup = program.children.find(({ path }) => path.at(-1) === "lookup");
  const common = lookup?.options.filter((option) => isCommon(option) && option.takesValue) ?? [];
  return `${[
    INTRODUCTION,
    ...common.map(optionLine),
    "",
    "| Command | |",
    "|---|---|",
    ...program.children.map(
      ({ path, summary }) => `| [\`${path.slice(1).join(" ")}\`](#${anchor(path)}) | ${summary} |`,
    ),
    ...program.children.flatMap((top) => nodesOf(top).flatMap(section)),
  ].join("\n")}\n`;
}

function section(node: CommandNode): readonly string[] {
  const usage = [...node.path, ...node.arguments.map(({ shown }) => shown)].join(" ");
  const shown = node.options.filter((option) => !isCommon(option) || option.isRequired);
  return [
    "",
    `${"#".repeat(Math.min(node.path.length, 4))} ${node.path.join(" ")}`,
    "",
    node.description,
    ...(node.children.length > 0 ? [] : ["", "```", usage, "```"]),
    ...list(node.arguments.map(({ shown, description }) => `- \`${shown}\`: ${description}`)),
    ...list(shown.map(optionLine)),
    ...(node.notes === "" ? [] : ["", "```", node.notes, "```"]),
  ];
}

function list(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", ...lines];
}

function optionLine({ description, flags, isRequired }: CommandOption): string {
  return `- \`${flags}\`: ${description}${isRequired ? " (must be given)" : ""}`;
}

/** Options that commands share are documented once, but not filters with the same names. */
function isCommon({ description, names }: CommandOption): boolean {
  if (names.some((name) => name === "--json" || name === "--help")) return true;
  return names.some((name) => SIGN_IN.has(name)) && description.includes("(else TANDEM_");
}

/** The anchor that GitHub generates for the heading. */
function anchor(path: readonly string[]): string {
  return path.join("-");
}
