// The patch panel: what is carried, corded to the links that carry it. A cord that is down is dotted and red.

import { Section } from "../../components/page.tsx";
import { Patch } from "../../components/patch.tsx";
import { isWell, type Way } from "./ways.ts";
import "./patch-panel.css";

const stateOf = (way: Way) => (isWell(way) ? "connected" : way.state === "connecting" ? "ringing" : "cut");

export function PatchPanel({ ways }: { readonly ways: readonly Way[] }) {
  if (ways.length === 0) return null;
  return (
    <Section title="Patch panel" aside="dotted: down">
      <ul className="patch-panel">
        {ways.map((way) => (
          <li key={way.id}>
            <Patch
              state={stateOf(way)}
              left={<span className="mid">{way.carries}</span>}
              right={
                <span>
                  <b className="strong">{way.name}</b> <span className="tag">{way.protocol}</span>
                </span>
              }
            />
            <span className="vh">{isWell(way) ? "connected" : way.state}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
