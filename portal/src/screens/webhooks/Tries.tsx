// The tries of a delivery: those already made, the next one with its countdown, and those after it.

import type { WebhookDelivery } from "@tandem/sdk";
import type { ReactNode } from "react";
import { isSuccess } from "../../../../rules/webhook-retries.ts";
import { Shape } from "../../components/shape.tsx";
import { Time } from "../../components/time.tsx";
import { dayOf, duration, shortClock } from "../../components/zone.ts";
import { useCountdown } from "./DeliveryStatusMark.tsx";
import { outlookOf, type Try } from "./tries.ts";
import { attemptWord, hostOf } from "./webhook-queries.ts";
import "../../components/timeline.css";

export interface TriesProps {
  readonly delivery: WebhookDelivery;
  readonly tries: readonly Try[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}

export function Tries({ delivery, tries, chosen, onChoose }: TriesProps) {
  return (
    <aside className="tries" aria-label="Tries">
      <h2>Tries</h2>
      <ol className="timeline">
        {tries.map((tried) => (
          <Made key={tried.id} tried={tried} isChosen={tried.id === chosen} onChoose={onChoose} />
        ))}
        {delivery.status === "Pending" && <ToCome delivery={delivery} done={tries.at(-1)?.number ?? 0} />}
        {delivery.status === "Failed" && (
          <Later shape="off" head="Given up">
            {delivery.finishedOn && <Time at={delivery.finishedOn} form="day" />}
          </Later>
        )}
      </ol>
    </aside>
  );
}

interface MadeProps {
  readonly tried: Try;
  readonly isChosen: boolean;
  readonly onChoose: (id: string) => void;
}

function Made({ tried, isChosen, onChoose }: MadeProps) {
  const { attempt, number, isBackup, afterMs } = tried;
  const isGood = isSuccess(attempt);
  return (
    <li>
      <Shape name={isGood ? "delivered" : "failed"} tone={isGood ? "ok" : "bad"} />
      <button type="button" className="try" aria-pressed={isChosen} onClick={() => onChoose(tried.id)}>
        <span className="try-head">
          <span>{isBackup ? `${number}, backup URL` : number}</span>
          <span className="mono">{attemptWord(attempt)}</span>
          <span className="dim num">{attempt.ms} ms</span>
        </span>
        <span className="dim cut">
          {isBackup ? (
            <span className="mono">{hostOf(attempt.url)}</span>
          ) : (
            <>
              <Time at={attempt.at} form="ms" /> {afterMs !== undefined && `after ${duration(afterMs)}`}
            </>
          )}
        </span>
      </button>
    </li>
  );
}

function ToCome({ delivery, done }: { readonly delivery: WebhookDelivery; readonly done: number }) {
  const { nextAttemptOn } = delivery;
  const countdown = useCountdown(nextAttemptOn);
  const { later, gaps, givenUpOn } = outlookOf(done, nextAttemptOn);
  return (
    <>
      <li className="tries-next">
        <Shape name={done === 0 ? "queued" : "retry"} tone={done === 0 ? "neutral" : "warn"} />
        <div className="try">
          <span className="try-head">
            <span>{done + 1}</span>
            <span className="strong num">{countdown}</span>
          </span>
          {nextAttemptOn && <Time at={nextAttemptOn} />}
        </div>
      </li>
      {later && gaps && (
        <Later shape="queued" head={later[0] === later[1] ? later[0] : `${later[0]} to ${later[1]}`}>
          <span className="dim">
            {duration(gaps[0])} to {duration(gaps[1])} apart
          </span>
        </Later>
      )}
      {givenUpOn && (
        <Later shape="off" head="Given up">
          <span className="dim">
            {dayOf(givenUpOn, new Date())}, about {shortClock(givenUpOn)}
          </span>
        </Later>
      )}
    </>
  );
}

interface LaterProps {
  readonly shape: "off" | "queued";
  readonly head: ReactNode;
  readonly children: ReactNode;
}

function Later({ shape, head, children }: LaterProps) {
  return (
    <li className="tries-future">
      <Shape name={shape} tone="neutral" />
      <div className="try">
        <span className="try-head">
          <span>{head}</span>
        </span>
        {children}
      </div>
    </li>
  );
}
