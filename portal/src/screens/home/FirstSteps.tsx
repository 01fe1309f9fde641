// What of the first run is left to do. Gone once all of it is done.

import { Link } from "@tanstack/react-router";
import { Section } from "../../components/page.tsx";
import { Shape } from "../../components/shape.tsx";
import type { Steps } from "./home-queries.ts";

const STEPS: readonly (readonly [keyof Steps, string])[] = [
  ["hasSent", "Send a text"],
  ["hasReceived", "Read a reply"],
  ["hasSubscribed", "Hear of it in your code"],
  ["hasFailed", "Make one fail and read why"],
  ["hasCalled", "Place a recorded call"],
];

export function FirstSteps({ steps }: { readonly steps: Steps }) {
  const done = STEPS.filter(([step]) => steps[step]);
  if (done.length === STEPS.length) return null;
  return (
    <Section title="First steps" aside={`${done.length} of ${STEPS.length}`}>
      <ul className="home-steps">
        {STEPS.map(([step, words]) => (
          <li key={step} className={steps[step] ? "dim" : undefined}>
            <Shape name={steps[step] ? "done" : "off"} tone="neutral" />
            {steps[step] ? (
              <span>{words}</span>
            ) : (
              <Link className="link" to="/?first=1">
                {words}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
