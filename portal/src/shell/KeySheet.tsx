// All keyboard shortcuts, on one sheet (`?`).

import { Check } from "../components/check.tsx";
import { Dialog } from "../components/dialog.tsx";
import { MOD, setSingleKeys, useSingleKeys } from "../components/keys.ts";
import type { Group } from "./navigation.ts";
import "./key-sheet.css";

const EVERYWHERE: readonly (readonly [string, string])[] = [
  [`${MOD} K`, "find or jump to anything"],
  ["?", "this sheet"],
  ["C", "send a text"],
  ["/", "filter the list"],
  ["J K", "next, previous row"],
  ["↵", "open the row"],
  [`${MOD} ↵`, "open it on its own page; in the composer: send"],
  ["T", "in the log: follow the trace"],
  ["Space", "in the log: hold, go live"],
  ["Esc", "close"],
];

export function KeySheet({ groups, onClose }: { readonly groups: readonly Group[]; readonly onClose: () => void }) {
  const jumps = groups
    .flatMap(({ destinations }) => destinations)
    .flatMap(({ key, label }) => (key ? [[`G ${key.toUpperCase()}`, label] as const] : []));
  const hasSingle = useSingleKeys();
  return (
    <Dialog label="Keys" onClose={onClose}>
      <div className="key-sheet">
        <h2>Keys</h2>
        <div>
          <KeyList keys={EVERYWHERE} />
          <KeyList keys={jumps} />
        </div>
        <Check
          label="Keys of one character"
          hint="Off, only those with a modifier, Esc and the arrows do something: for speech input."
          checked={hasSingle}
          onChange={setSingleKeys}
        />
      </div>
    </Dialog>
  );
}

function KeyList({ keys }: { readonly keys: readonly (readonly [string, string])[] }) {
  return (
    <dl>
      {keys.map(([key, what]) => (
        <div key={key}>
          <dt>
            {key.split(" ").map((part) => (
              <kbd key={part}>{part}</kbd>
            ))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
