// The completion script for bash 3.2 or later.

import { type CommandNode, nodesOf } from "../../command-tree.ts";
import { optionNames, placeOf, placesOf, plainWords, quoted, takesFile, valuedOptions } from "./shell-words.ts";

export function bashScript(program: CommandNode): string {
  return `# Lets bash complete tandem. Made by: tandem completion bash
_tandem() {
  local at="" word i cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}"
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$at/$word" in
      ${placesOf(program).join(" | ")}) at="$at/$word" ;;
    esac
  done
  COMPREPLY=()
  case "$at $prev" in
${valueCases(program)}
  esac
  if [[ "$cur" == -* ]]; then
    case "$at" in
${cases(program, optionNames)}
    esac
    return
  fi
  case "$at" in
${cases(program, plainWords)}
  esac
  case "$at" in
${fileCases(program)}
  esac
}
complete -F _tandem tandem
`;
}

/** The words that each command offers; commands that offer none are left out. */
function cases(program: CommandNode, wordsOf: (node: CommandNode) => readonly string[]): string {
  return nodesOf(program)
    .map((node) => ({ place: placeOf(node), words: wordsOf(node) }))
    .filter(({ words }) => words.length > 0)
    .map(({ place, words }) => `      ${quoted(place)}) ${reply(words)} ;;`)
    .join("\n");
}

function valueCases(program: CommandNode): string {
  return valuedOptions(program)
    .map(({ place, option, words, isFile }) => {
      const patterns = option.names.map((name) => quoted(`${place} ${name}`)).join(" | ");
      const offered = isFile ? "compopt -o default 2> /dev/null; " : words.length === 0 ? "" : `${reply(words)}; `;
      return `    ${patterns}) ${offered}return ;;`;
    })
    .join("\n");
}

function fileCases(program: CommandNode): string {
  const places = nodesOf(program).filter(takesFile).map(placeOf).map(quoted);
  return `    ${places.join(" | ")}) compopt -o default 2> /dev/null ;;`;
}

function reply(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W ${quoted(words.join(" "))} -- "$cur"))`;
}
