// The completion script for fish 3.0 or later.

import { type CommandNode, type CommandOption, nodesOf } from "../../command-tree.ts";
import { placeOf, placesOf, takesFile } from "./shell-words.ts";

export function fishScript(program: CommandNode): string {
  return `# Lets fish complete tandem. Made by: tandem completion fish
function __tandem_at
    set -l at program
    set -l typed (commandline -opc)
    for word in $typed[2..-1]
        switch "$at/$word"
            case ${placesOf(program)
              .map((place) => `program${place}`)
              .join(" ")}
                set at "$at/$word"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c tandem -e
complete -c tandem -f
${nodesOf(program).flatMap(linesOf).join("\n")}
`;
}

function linesOf(node: CommandNode): readonly string[] {
  const at = `complete -c tandem -n '__tandem_at program${placeOf(node)}'`;
  return [
    ...node.children.map(({ path, summary }) => `${at} -a ${path.at(-1)} -d ${quoted(summary)}`),
    ...node.arguments.filter(({ words }) => words.length > 0).map(({ words }) => `${at} -a ${quoted(words.join(" "))}`),
    ...(takesFile(node) ? [`${at} -F`] : []),
    ...node.options.map((option) => `${at} ${nameOf(option)}${valueFlags(option)} -d ${quoted(option.description)}`),
  ];
}

function nameOf({ names }: CommandOption): string {
  return names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(" ");
}

function valueFlags({ isFile, takesValue, words }: CommandOption): string {
  if (isFile) return " -r -F";
  if (!takesValue) return "";
  return words.length === 0 ? " -x" : ` -x -a ${quoted(words.join(" "))}`;
}

/** In single quotes, by the rules of fish. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replace(/\.$/, "")}'`;
}
