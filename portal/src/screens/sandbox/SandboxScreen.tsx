// The sandbox: what if it fails? A telephone that texts and carries the user's voice, numbers that behave in a set way,
// and the outcomes of carrier, registry and clearing house. Everything goes through the test kit, and so over the real
// protocols.

import type { Phone } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { itemsQuery } from "../../api/queries.ts";
import { useSession } from "../../api/session.ts";
import { ButtonLink } from "../../components/button.tsx";
import { SelectField } from "../../components/form.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Empty, PageHead } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { SANDBOX_NUMBER, SandboxPhone } from "../../components/sandbox-phone.tsx";
import { useBrowserPhone } from "./browser-phone.ts";
import { CallLines } from "./CallLines.tsx";
import { Carrier } from "./Carrier.tsx";
import { ClearingHouse } from "./ClearingHouse.tsx";
import { ForwardingLine } from "./ForwardingLine.tsx";
import { OtherCaller } from "./OtherCaller.tsx";
import { PhoneCall, PhoneLine } from "./PhoneCall.tsx";
import { Registry } from "./Registry.tsx";
import { TextLines } from "./TextLines.tsx";
import "./sandbox.css";

export function SandboxScreen() {
  usePlace([{ label: "Sandbox" }]);
  const { sandbox } = useSession();
  if (!sandbox) {
    return (
      <Empty
        what="There is no sandbox here"
        why="This server is connected to real carriers: texts and calls are real."
      />
    );
  }
  return <World />;
}

const activePhonesQuery = itemsQuery(["phones", "sandbox"], (options) =>
  client.phones.list({ status: "Active", pageSize: 200, ...options }),
);

function World() {
  const phones = useQuery(activePhonesQuery);
  const [chosen, choose] = useState("");
  if (!phones.data) return <NotLoaded query={phones} what="Your numbers did not load" />;
  const numbers = phones.data.map(({ number }) => number).sort();
  const ours = numbers.includes(chosen) ? chosen : numbers[0];
  if (ours === undefined)
    return (
      <Empty what="No number of yours is Active" why="The telephones here text and call your own numbers.">
        <ButtonLink to="/numbers?take=yes" small>
          Take one
        </ButtonLink>
      </Empty>
    );
  return (
    <div className="sandbox">
      <div className="sandbox-main">
        <PageHead
          title="Sandbox"
          sub="What if it fails? Lines that misbehave, and the world outside. Nothing leaves this machine."
        />
        <TextLines ours={ours} />
        <CallLines ours={ours} />
        <Carrier />
        <Registry />
        <ClearingHouse />
      </div>
      <PhoneAside phones={phones.data} numbers={numbers} ours={ours} onChoose={choose} />
    </div>
  );
}

interface PhoneAsideProps {
  readonly phones: readonly Phone[];
  readonly numbers: readonly string[];
  readonly ours: string;
  readonly onChoose: (number: string) => void;
}

function PhoneAside({ phones, numbers, ours, onChoose }: PhoneAsideProps) {
  const own = phones.find(({ number }) => number === ours);
  const [phone, view] = useBrowserPhone(SANDBOX_NUMBER);
  const isIdle = view.call.state === "Idle";
  const softphone = {
    onCall: view.connection === "Open" && isIdle ? () => phone.call(ours) : undefined,
    line: <PhoneLine phone={phone} view={view} />,
    call: isIdle ? undefined : <PhoneCall phone={phone} view={view} />,
  };
  return (
    <aside className="sandbox-phone" aria-label="Sandbox phone">
      <SelectField
        label="Your number"
        hint="The phone texts and calls it; texts and calls show it."
        className="mono"
        options={numbers}
        value={ours}
        onChange={onChoose}
      />
      <SandboxPhone ours={ours} name={ours} softphone={softphone} />
      {own && <ForwardingLine phone={own} />}
      <OtherCaller ours={ours} />
    </aside>
  );
}
