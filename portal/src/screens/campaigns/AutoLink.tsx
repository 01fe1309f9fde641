// Automatic linking, before and after it happened: each config that names the campaign, with the id marked in its name.

import { Shape, type ShapeName, type Tone } from "../../components/shape.tsx";
import { type LinkLine, linkLines, type NamedConfig } from "./link-preview.ts";

interface AutoLinkProps {
  readonly campaign: string;
  readonly configs: readonly NamedConfig[];
  /** The campaign has arrived: show what happened. */
  readonly hasCome?: boolean;
}

interface Verdict {
  readonly shape: ShapeName;
  readonly tone: Tone;
  readonly says: string;
}

function verdictOf({ verdict, config }: LinkLine, hasCome: boolean): Verdict {
  switch (verdict) {
    case "linked":
      return { shape: "delivered", tone: "ok", says: "Linked" };
    case "match":
      return hasCome
        ? { shape: "act", tone: "warn", says: "Names it, and is not linked: link it by hand" }
        : { shape: "active", tone: "accent", says: "The only match: it will be linked" };
    case "several":
      return { shape: "act", tone: "warn", says: "Not the only one that names it" };
    case "otherCase":
      return { shape: "off", tone: "neutral", says: "No: the letters differ in case" };
    case "taken":
      return { shape: "off", tone: "neutral", says: `No: it is linked to ${config.tcrCampaignId}` };
  }
}

export function AutoLink({ campaign, configs, hasCome = false }: AutoLinkProps) {
  const lines = linkLines(campaign, configs);
  if (lines.length === 0) return <p className="auto-link-none dim">No config names it yet.</p>;
  return (
    <ul className="auto-link">
      {lines.map((line) => {
        const { shape, tone, says } = verdictOf(line, hasCome);
        return (
          <li key={line.config.sid}>
            <Shape name={shape} tone={tone} />
            <span className="cut">
              <Marked text={line.config.name} part={campaign} />
            </span>
            <span className="mid">{says}</span>
          </li>
        );
      })}
    </ul>
  );
}

function Marked({ text, part }: { readonly text: string; readonly part: string }) {
  const at = text.indexOf(part);
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <b className="mono">{part}</b>
      {text.slice(at + part.length)}
    </>
  );
}
