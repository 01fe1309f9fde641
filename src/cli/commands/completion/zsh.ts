// The completion script for zsh: a file in its fpath, or text to evaluate after compinit.

import { type CommandNode, nodesOf } from "../../command-tree.ts";
import { placeOf, placesOf, quoted, takesFile, valuedOptions } from "./shell-words.ts";

export function zshScript(program: CommandNode): string {
  return `#compdef tandem
# Lets zsh complete tandem. Made by: tandem completion zsh
_tandem() {
  local at="" word cur="\${words[CURRENT]}" prev="\${words[CURRENT - 1]}"
  local -a offered
  for word in "\${(@)words[2,CURRENT - 1]}"; do
    case "$at/$word" in
      ${placesOf(program).join("|")}) at="$at/$word" ;;
    esac
  done
  case "$at $prev" in
${valueCases(program)}
  esac
  if [[ "$cur" == -* ]]; then
    case "$at" in
${optionCases(program)}
    esac
    (( $#offered )) && _describe option offered
    return
  fi
  case "$at" in
${plainCases(program)}
  esac
  (( $#offered )) && _describe command offered
}
if [[ "\${funcstack[1]}" == _tandem ]]; then _tandem "$@"; else compdef _tandem tandem; fi
`;
}

function valueCases(program: CommandNode): string {
  return valuedOptions(program)
    .map(({ place, option, words, isFile }) => {
      const patterns = option.names.map((name) => quoted(`${place} ${name}`)).join("|");
      const offered = isFile ? "_files; " : words.length === 0 ? "" : `compadd -- ${words.map(quoted).join(" ")}; `;
      return `    ${patterns}) ${offered}return ;;`;
    })
    .join("\n");
}

function optionCases(program: CommandNode): string {
  return nodesOf(program)
    .map((node) => {
      const offered = node.options.flatMap(({ names, description }) =>
        names.map((name) => described(name, description)),
      );
      return `      ${quoted(placeOf(node))}) offered=(${offered.join(" ")}) ;;`;
    })
    .join("\n");
}

function plainCases(program: CommandNode): string {
  return nodesOf(program)
    .map((node) => {
      const children = node.children.map(({ path, summary }) => described(path.at(-1) ?? "", summary));
      const words = node.arguments.flatMap((argument) => argument.words).map(quoted);
      const files = takesFile(node) ? "; _files" : "";
      return { place: quoted(placeOf(node)), does: `offered=(${[...children, ...words].join(" ")})${files}` };
    })
    .filter(({ does }) => does !== "offered=()")
    .map(({ place, does }) => `    ${place}) ${does} ;;`)
    .join("\n");
}

/** `name:description`, in the format of _describe. */
function described(name: string, text: string): string {
  return quoted(`${name.replaceAll(":", "\\:")}:${text.replace(/\.$/, "")}`);
}
