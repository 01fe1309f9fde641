// Bars of parts, each a link to the list behind it. One stop of the Tab key: arrow keys move between the parts, Enter
// opens. A line below says what is pointed at, and what its list shows.

import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { tableOf } from "../../components/lookup-table.ts";
import { type Bar, type Kind, listBehind, type Part, toneOf } from "./counts.ts";

export interface BarsProps {
  readonly kind: Kind;
  /** What the bars are of, for screen readers. */
  readonly label: string;
  readonly bars: readonly Bar[];
  /** When, or of whom, a bar is. */
  readonly nameOf: (bar: Bar, at: number) => string;
  /** What the list behind a part has beyond the part, for another reason than its outcome. */
  readonly beyond?: string;
  /** From left to right, each with its name and its total. Otherwise upright, one beside the other. */
  readonly isLying?: boolean;
  /** Below upright bars. */
  readonly axis?: ReactNode;
}

const STEPS = tableOf<readonly [bar: number, part: number]>({
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
});

/** Which part the keys are at; bars without parts are passed over. */
function useArrows(bars: readonly Bar[], isLying: boolean) {
  const box = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState("");
  const filled = bars.flatMap(({ parts }, bar) => (parts.length > 0 ? [{ bar, parts }] : []));
  const isThere = filled.some(({ bar, parts }) => parts.some((_, part) => at === `${bar}.${part}`));
  const current = isThere ? at : `${filled[0]?.bar ?? 0}.0`;
  const press = (event: KeyboardEvent) => {
    const step = STEPS.get(event.key);
    if (!step) return;
    event.preventDefault();
    const [byBar, byPart] = isLying ? [-step[1], step[0]] : step;
    const [bar = 0, part = 0] = current.split(".").map(Number);
    const place = filled.findIndex((one) => one.bar === bar);
    const next = filled[Math.min(filled.length - 1, Math.max(0, place + byBar))];
    if (!next) return;
    const nextPart = Math.min(next.parts.length - 1, Math.max(0, part + byPart));
    box.current?.querySelector<HTMLElement>(`[data-part="${next.bar}.${nextPart}"]`)?.focus();
  };
  return { box, current, setAt, press };
}

/** What a part says, and where it leads. */
function sayingOf({ kind, nameOf, beyond }: BarsProps, bar: Bar, atBar: number, { outcome, count }: Part) {
  const list = listBehind(kind, outcome, bar);
  const shown = [list.beyond, beyond].filter((words) => words !== undefined).join("; ");
  const words = `${nameOf(bar, atBar)}: ${count.toLocaleString("en")} ${outcome}`;
  return { to: list.to, words: shown === "" ? words : `${words}. The list shows ${shown}` };
}

export function StackedBars(props: BarsProps) {
  const { kind, label, bars, nameOf, isLying = false, axis } = props;
  const { box, current, setAt, press } = useArrows(bars, isLying);
  const [pointed, setPointed] = useState("");
  const highest = Math.max(1, ...bars.map(({ total }) => total));
  const sayings = new Map<string, string>();
  const partOf = (bar: Bar, atBar: number, part: Part, atPart: number) => {
    const id = `${atBar}.${atPart}`;
    const { to, words } = sayingOf(props, bar, atBar, part);
    sayings.set(id, words);
    const size = `${(100 * part.count) / highest}%`;
    return (
      <Link
        key={part.outcome}
        to={to}
        className={`bars-part bars-${toneOf(kind, part.outcome)}`}
        style={isLying ? { width: size } : { height: size }}
        aria-label={words}
        tabIndex={id === current ? 0 : -1}
        data-part={id}
        onKeyDown={press}
        onFocus={() => {
          setAt(id);
          setPointed(id);
        }}
        onMouseEnter={() => setPointed(id)}
      />
    );
  };
  const drawn = bars.map((bar, at) => (
    <div key={isLying ? nameOf(bar, at) : bar.from} className="bars-bar">
      {isLying && <span className="bars-name cut">{nameOf(bar, at)}</span>}
      <div className="bars-parts">{bar.parts.map((part, atPart) => partOf(bar, at, part, atPart))}</div>
      {isLying && <span className="num">{bar.total.toLocaleString("en")}</span>}
    </div>
  ));
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs */}
      <div ref={box} className={isLying ? "bars bars-lying" : "bars"} role="group" aria-label={label}>
        {drawn}
      </div>
      {axis}
      <p className="bars-said" aria-hidden="true">
        {sayings.get(pointed) ?? "A bar leads to the list behind it."}
      </p>
    </>
  );
}
