// Manual steps of a port order: the date, completion, an exception or a rejection, for selected numbers or for all.

import { type OwnedPortOrder, PORT_REASON_CODES, type PortReasonCode } from "@tandem/sdk";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Section } from "../../components/page.tsx";
import { Problem } from "../../components/verdict.tsx";
import { Checks, Choice, TextField, useDeed } from "./operator-parts.tsx";

const HALVES = ["voice", "messaging"] as const;
const ENDED: readonly string[] = ["Completed", "PartiallyCompleted", "Cancelled", "Failed"];

export function PortDeeds({ order }: { readonly order: OwnedPortOrder }) {
  const open = order.numbers.filter(({ status }) => !ENDED.includes(status)).map(({ number }) => number);
  const [chosen, setChosen] = useState<readonly string[]>(open);
  const props = { sid: order.sid, numbers: chosen };
  return (
    <Section title="By hand" aside="where no clearing house is connected">
      <div className="operator-block">
        <Checks legend="For these numbers" values={open} chosen={chosen} onChange={setChosen} />
      </div>
      <div className="operator-columns operator-columns-top">
        <ConfirmDate {...props} />
        <Complete {...props} />
        <Refuse {...props} />
      </div>
    </Section>
  );
}

interface PortDeedProps {
  readonly sid: string;
  readonly numbers: readonly string[];
}

const NOUNS = ["ports", "phones", "migrations"];

function ConfirmDate({ sid, numbers }: PortDeedProps) {
  const [on, setOn] = useState("");
  const agree = useDeed({
    run: () => operator.portOrders.confirmDate(sid, { on: new Date(on).toISOString(), numbers }),
    nouns: NOUNS,
    done: () => "The date is agreed.",
  });
  return (
    <form
      className="operator-form operator-deed"
      onSubmit={(event) => {
        event.preventDefault();
        agree.mutate();
      }}
    >
      <TextField
        label="The losing carrier lets go on"
        type="datetime-local"
        value={on}
        onChange={setOn}
        hint="In your zone."
      />
      <Button type="submit" busy={agree.isPending} disabled={on === "" || numbers.length === 0}>
        Agree the date
      </Button>
      {agree.error && <Problem what="Not agreed" error={agree.error} />}
    </form>
  );
}

function Complete({ sid, numbers }: PortDeedProps) {
  const [halves, setHalves] = useState<readonly (typeof HALVES)[number][]>(HALVES);
  const complete = useDeed({
    run: () => operator.portOrders.complete(sid, { halves, numbers }),
    nouns: NOUNS,
    done: () => "Completed.",
  });
  return (
    <form
      className="operator-form operator-deed"
      onSubmit={(event) => {
        event.preventDefault();
        complete.mutate();
      }}
    >
      <Checks legend="What has moved" values={HALVES} chosen={halves} onChange={setHalves} />
      <Button type="submit" busy={complete.isPending} disabled={halves.length === 0 || numbers.length === 0}>
        Complete them
      </Button>
      {complete.error && <Problem what="Not completed" error={complete.error} />}
    </form>
  );
}

function Refuse({ sid, numbers }: PortDeedProps) {
  const [reason, setReason] = useState<PortReasonCode | "">("");
  const [detail, setDetail] = useState("");
  const refuse = useDeed({
    run: (isFinal: boolean) => {
      const body = { reason: reason || ("OTHER" as const), numbers, ...(detail.trim() && { detail: detail.trim() }) };
      return isFinal ? operator.portOrders.reject(sid, body) : operator.portOrders.hold(sid, body);
    },
    nouns: NOUNS,
    done: (_, isFinal) => (isFinal ? "Rejected." : "The account is asked to put it right."),
  });
  const isReady = reason !== "" && numbers.length > 0;
  return (
    <div className="operator-form operator-deed">
      <Choice<PortReasonCode>
        label="What is wrong"
        none="Choose the reason"
        values={PORT_REASON_CODES}
        value={reason}
        onChange={setReason}
      />
      <TextField label="In words" value={detail} onChange={setDetail} hint="The account reads it." />
      <div className="row">
        <Button disabled={!isReady} busy={refuse.isPending} onClick={() => refuse.mutate(false)}>
          Ask the account
        </Button>
        <Button kind="danger" disabled={!isReady} busy={refuse.isPending} onClick={() => refuse.mutate(true)}>
          Reject them
        </Button>
      </div>
      {refuse.error && <Problem what="Not done" error={refuse.error} />}
    </div>
  );
}
