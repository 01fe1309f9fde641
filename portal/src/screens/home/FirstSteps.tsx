// The steps of the first run that are not done yet. Not shown once all are done.

import { Link } from "@tanstack/react-router";
import { Section } from "../../components/page.tsx";
import { Shape } from "../../components/shape.tsx";
import type { Steps } from "./home-queries.ts";

/** What to do, and where. */
const STEPS: readonly (readonly [keyof Steps, string, string])[] = [
  ["hasSent", "Send a text", "/messages/new"],
  ["hasReceived", "Read a reply", "/?first=1"],
  ["hasSubscribed", "Hear of it in your code", "/webhooks?subscribe=yes"],
  ["hasFailed", "Make one fail and read why", "/?first=1"],
  ["hasCalled", "Place a recorded call", "/calls?place=yes"],
];

export function FirstSteps({ steps }: { readonly steps: Steps }) {
  const done = STEPS.filter(([step]) => steps[step]);
  if (done.length === STEPS.length) return null;
  return (
    <Section title="First steps" aside={`${done.length} of ${STEPS.length}`}>
      <ul className="home-steps">
        {STEPS.map(([step, words, to]) => (
          <li key={step} className={steps[step] ? "dim" : undefined}>
            <Shape name={steps[step] ? "done" : "off"} tone="neutral" />
            {steps[step] ? (
              <span>{words}</span>
            ) : (
              <Link className="link" to={to}>
                {words}
              </Link>
            )}
            {!steps[step] && <span className="home-step-time">1 min</span>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
