// The steps of a move on one line: completed ones are plugged in, one that waits for an action is a triangle.

import type { Migration } from "@tandem/sdk";
import { Socket } from "../../components/patch.tsx";
import { Shape } from "../../components/shape.tsx";
import { Time } from "../../components/time.tsx";
import { type Step, type StepState, stepsOf } from "./migration-steps.ts";

export function Stepper({ migration }: { readonly migration: Migration }) {
  return (
    <ol className="stepper" aria-label="Steps of the move">
      {stepsOf(migration).map((step) => (
        <StepItem key={step.name} step={step} />
      ))}
    </ol>
  );
}

const WORDS: Record<StepState, string> = { done: "done", stop: "held up", part: "partly done", open: "not yet" };

function StepItem({ step }: { readonly step: Step }) {
  return (
    <li className={`step-${step.state}`}>
      <div className="step-cable">
        {step.state === "stop" ? <Shape name="act" tone="warn" /> : <Socket plugged={step.state === "done"} />}
        <span className="cable" />
      </div>
      <b>
        {step.name}
        <span className="vh">, {WORDS[step.state]}</span>
      </b>
      <span className="step-says">{step.says}</span>
      <span className="step-time dim">{step.at ? <Time at={step.at} form="day" /> : step.time}</span>
    </li>
  );
}
