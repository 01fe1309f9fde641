// One number: why is it not Active? Where do its calls go?

import type { Phone } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { client } from "../../api/client.ts";
import { dataQuery } from "../../api/queries.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { type FactList, Facts, PageHead, Section } from "../../components/page.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { usePlace } from "../../components/place.ts";
import { useRouteParams } from "../../components/route-params.ts";
import { Sid } from "../../components/sid.tsx";
import { Status } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { useAction } from "../../components/use-action.ts";
import { Verdict } from "../../components/verdict.tsx";
import { LinkCampaign } from "./LinkCampaign.tsx";
import { NumberSettings } from "./NumberSettings.tsx";
import { VoiceForm } from "./VoiceForm.tsx";
import "./numbers.css";

export function NumberScreen() {
  const { number } = useRouteParams("/numbers/$number");
  usePlace([
    { label: "Numbers", to: "/numbers" },
    { label: number, shown: <PhoneNumber value={number} /> },
  ]);
  const query = useQuery(dataQuery(["phones", "one", number], (options) => client.phones.get(number, options)));
  if (!query.data) return <NotLoaded query={query} what="The number did not load" />;
  const phone = query.data;
  return (
    <>
      <PageHead
        title={<PhoneNumber value={phone.number} />}
        sub={
          <>
            <Status kind="number" value={phone.status} />
            {phone.name && <span>{phone.name}</span>}
            <span>{phone.features.join(", ") || "no features yet"}</span>
          </>
        }
        buttons={<Actions phone={phone} />}
      />
      {phone.status !== "Active" && <WhyNotActive phone={phone} />}
      <div className="number-columns">
        <Section title="Texts">
          <NumberSettings key={phone.updatedOn} phone={phone} />
          {phone.messagingConfigSid !== null && <LinkCampaign configSid={phone.messagingConfigSid} />}
        </Section>
        <Section title="Calls">
          {phone.features.includes("VOICE") ? (
            <VoiceForm number={phone.number} />
          ) : (
            <p className="number-note mid">It has no VOICE: calls do not come here.</p>
          )}
        </Section>
        <Section title="Facts">
          <div className="number-note">
            <Facts facts={factsOf(phone)} />
          </div>
        </Section>
      </div>
    </>
  );
}

function factsOf(phone: Phone): FactList {
  return [
    ["Since", <Time key="since" at={phone.createdOn} form="day" />],
    ["Changed", <Time key="changed" at={phone.updatedOn} form="day" />],
    ["Config", phone.messagingConfigSid === null ? "none" : <Sid key="config" value={phone.messagingConfigSid} />],
    ["Port order", phone.portOrderSid === null ? "none" : <Sid key="port" value={phone.portOrderSid} />],
  ];
}

/** What comes next, by the status. */
const NEXT_STEPS: Record<Phone["status"], string | undefined> = {
  PendingPortIn: "Waiting for the losing carrier: nothing is to be done until the order asks for something.",
  PendingMessagingConfigAdd: "Give it a MessagingConfig below.",
  PendingTcrCampaignAdd: "Waiting for the registry; if its MessagingConfig has no campaign, link one below.",
  PendingTcrCampaignChange: "Waiting for the registry: it becomes Active by itself.",
  Active: undefined,
  Removed: "Take it again under Numbers if it is free.",
};

function WhyNotActive({ phone }: { readonly phone: Phone }) {
  return (
    <Verdict
      tone={phone.status === "Removed" ? "bad" : "warn"}
      what={`It is not Active: ${phone.status}`}
      why={phone.statusReason}
      advice={NEXT_STEPS[phone.status]}
    >
      {phone.status === "PendingPortIn" && (
        <ButtonLink to="/campaigns" small>
          See the move
        </ButtonLink>
      )}
    </Verdict>
  );
}

function Actions({ phone }: { readonly phone: Phone }) {
  const navigate = useNavigate();
  const giveBack = useAction({
    ask: () => ({
      question: `Give ${phone.number} back?`,
      cost: "Others may take it from then on, and texts and calls to it are no longer yours.",
      verb: "Give it back",
    }),
    run: () => client.phones.remove(phone.number),
    nouns: ["phones"],
    done: () => `${phone.number} was given back.`,
    onDone: () => void navigate({ to: "/numbers" }),
    failed: "Not given back.",
  });
  if (phone.status === "Removed") return null;
  return (
    <>
      <ButtonLink to={`/messages/new?from=${encodeURIComponent(phone.number)}`} icon="send" kind="primary">
        Send a text
      </ButtonLink>
      <Button kind="danger" busy={giveBack.isPending} onClick={() => giveBack.start()}>
        Give it back
      </Button>
    </>
  );
}
