// Sentences of the server about a move: sids in them are shortened, as everywhere in the portal.

import { Words } from "../../components/words.tsx";

const SID = /\b([A-Z]{2})[0-9a-f]{26}([0-9a-f]{6})\b/g;

export function Said({ text }: { readonly text: string }) {
  return <Words text={text.replace(SID, "$1…$2")} />;
}
