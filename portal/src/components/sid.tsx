// An id: its prefix and last six characters (the beginnings of UUIDv7 look alike), whole on hover; a click copies it
// whole.

import { copyText } from "./copy.ts";
import { Icon } from "./icon.tsx";
import "./sid.css";

export interface SidProps {
  readonly value: string;
  /** The whole id, for the page of the item itself. */
  readonly full?: boolean;
}

export function Sid({ value, full = false }: SidProps) {
  const copy = () => void copyText(value, "Id");
  if (full) {
    return (
      <button type="button" className="sid sid-full" title="Copy" translate="no" onClick={copy}>
        <span>{value}</span>
        <Icon name="copy" />
      </button>
    );
  }
  return (
    <button type="button" className="sid" title={`${value}: click to copy`} translate="no" onClick={copy}>
      <ShortSid value={value} />
    </button>
  );
}

/** Only the text, for use within a link. */
export function ShortSid({ value }: { readonly value: string }) {
  const prefix = /^[A-Z]{2}(?=[0-9a-f]{32}$)/.exec(value)?.[0] ?? value.slice(0, 8);
  if (value.length <= prefix.length + 7) return <span className="mono">{value}</span>;
  return (
    <span className="mono">
      {prefix}
      <span className="dim">…</span>
      {value.slice(-6)}
    </span>
  );
}
