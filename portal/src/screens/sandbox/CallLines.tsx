// Calls a number that behaves in a set way: first the sandbox's phone rings, then the number.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client } from "../../api/client.ts";
import { dataQuery } from "../../api/queries.ts";
import { Section } from "../../components/page.tsx";
import { SANDBOX_NUMBER } from "../../components/sandbox-phone.tsx";
import { Sid } from "../../components/sid.tsx";
import { Status } from "../../components/status.tsx";
import { useAction } from "../../components/use-action.ts";
import { Problem } from "../../components/verdict.tsx";
import { BehaviourList } from "./BehaviourList.tsx";
import { CALL_BEHAVIOURS } from "./behaviours.ts";

export function CallLines({ ours }: { readonly ours: string }) {
  const calling = useAction({
    run: (to: string) => client.calls.place({ from: SANDBOX_NUMBER, to, callerId: ours }),
    nouns: ["calls"],
  });
  return (
    <Section title="Call a line" aside="a press rings the phone, then the line">
      {calling.error && <Problem what="Not called" error={calling.error} />}
      {calling.data && <Went sid={calling.data.data.sid} />}
      <BehaviourList behaviours={CALL_BEHAVIOURS} verb="Call" disabled={calling.isPending} onChoose={calling.start} />
    </Section>
  );
}

/** The progress of a call. */
function Went({ sid }: { readonly sid: string }) {
  const { data: call } = useQuery(dataQuery(["calls", "sandbox", sid], (options) => client.calls.get(sid, options)));
  if (!call) return null;
  return (
    <p className="sandbox-became" aria-live="polite">
      <Status kind="call" value={call.status} />
      <Sid value={sid} />
      <Link className="link" to={`/calls/${sid}`}>
        See how
      </Link>
    </p>
  );
}
