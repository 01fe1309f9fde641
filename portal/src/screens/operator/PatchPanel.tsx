// The patch panel, read-only, from the routes of the config file: each route with lines to the links that carry it. The
// width of a line is its share; a dashed one is a fallback, a dotted red one is down.

import type { Route } from "@tandem/sdk";
import { Section } from "../../components/page.tsx";
import { Socket } from "../../components/patch.tsx";
import { Status } from "../../components/status.tsx";
import { conditionOf, headOf, KIND_WORDS, keyOf, linesOf, PANEL_WIDTH, ROW_PX, wayWords } from "./routes.ts";
import { isWell, type Way } from "./ways.ts";
import "./patch-panel.css";

const ROUTES_MAX = 40;

export interface PatchPanelProps {
  readonly routes: readonly Route[];
  readonly ways: readonly Way[];
  readonly selected?: string | undefined;
  readonly onSelect: (way: Way) => void;
}

export function PatchPanel({ routes, ways, selected, onSelect }: PatchPanelProps) {
  if (ways.length === 0) return null;
  const shown = routes.slice(0, ROUTES_MAX);
  return (
    <Section title="Patch panel" aside={<Legend />}>
      <div className="patch-panel">
        <ol aria-label="Routes">
          {shown.map((route) => (
            <li key={keyOf(route)}>
              <span className="patch-route">
                <b className="mono">{headOf(route)}</b>
                <span>{KIND_WORDS[route.kind]}</span>
              </span>
              <span className="dim patch-condition">{conditionOf(route)}</span>
              <Socket plugged={route.ways.some(({ isUp }) => isUp !== false)} bad={route.ways.length === 0} />
              <span className="vh">goes by {route.ways.map(wayWords).join("; ") || "nothing: it waits"}</span>
            </li>
          ))}
        </ol>
        <Lines routes={shown} ways={ways} />
        <ol aria-label="Links">
          {ways.map((way) => (
            <li key={way.id} className={way.id === selected ? "patch-selected" : ""}>
              <WayRow way={way} isSelected={way.id === selected} onSelect={onSelect} />
            </li>
          ))}
        </ol>
      </div>
      {routes.length > shown.length && <p className="patch-more dim">The list below has all {routes.length} routes.</p>}
    </Section>
  );
}

function Legend() {
  return (
    <span className="patch-legend" aria-hidden="true">
      <span>
        <i className="patch-key-share" />
        share of traffic
      </span>
      <span>
        <i className="patch-key-sub" />
        fallback
      </span>
      <span>
        <i className="patch-key-cut" />
        down
      </span>
    </span>
  );
}

/** Hidden from screen readers: each route lists the same in words. */
function Lines({ routes, ways }: Pick<PatchPanelProps, "routes" | "ways">) {
  const lines = linesOf(
    routes,
    ways.map(({ id }) => id),
  );
  const height = Math.max(routes.length, ways.length) * ROW_PX;
  return (
    <div className="patch-lines" aria-hidden="true">
      <svg viewBox={`0 0 ${PANEL_WIDTH} ${height}`} preserveAspectRatio="none" style={{ height }} aria-hidden="true">
        {lines.map(({ key, path, state, width }) => (
          <path key={key} d={path} className={`patch-line patch-line-${state}`} strokeWidth={width} />
        ))}
      </svg>
      {lines.map(
        ({ key, label, at: [left, top] }) =>
          label !== undefined && (
            <span key={key} className="patch-share num" style={{ left: `${left}%`, top }}>
              {label}
            </span>
          ),
      )}
    </div>
  );
}

const loadOf = ({ window, inFlight, isTrunk }: Way) => {
  if (window !== null) return isTrunk ? `${inFlight} of ${window} lines` : `${window - inFlight} of ${window} free`;
  return `${inFlight} ${isTrunk ? "calls" : "in flight"}`;
};

interface WayRowProps extends Pick<PatchPanelProps, "onSelect"> {
  readonly way: Way;
  readonly isSelected: boolean;
}

function WayRow({ way, isSelected, onSelect }: WayRowProps) {
  return (
    <>
      <Socket plugged={isWell(way)} bad={!isWell(way)} />
      <button type="button" className="patch-way" aria-pressed={isSelected} onClick={() => onSelect(way)}>
        <b className="strong">{way.name}</b> <span className="tag">{way.protocol}</span>
      </button>
      <Status kind="link" value={way.state} />
      <span className="mid cut hide-phone">{isWell(way) ? loadOf(way) : way.reason}</span>
      <span className="num">{way.perSecond}/s</span>
    </>
  );
}
