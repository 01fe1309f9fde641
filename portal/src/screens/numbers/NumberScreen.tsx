// One number: why is it not Active? Where do its calls go?

import type { Phone } from "@tandem/sdk";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { client } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { confirm } from "../../components/dialog.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Facts, PageHead, Section } from "../../components/page.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { usePlace } from "../../components/place.ts";
import { Sid } from "../../components/sid.tsx";
import { Status } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toast.tsx";
import { Verdict } from "../../components/verdict.tsx";
import { NumberSettings } from "./NumberSettings.tsx";
import { VoiceForm } from "./VoiceForm.tsx";
import "./numbers.css";

export function NumberScreen() {
  const { number = "" } = useParams({ strict: false });
  usePlace([
    { label: "Numbers", to: "/numbers" },
    { label: number, shown: <PhoneNumber value={number} /> },
  ]);
  const query = useQuery({
    queryKey: ["phones", "one", number],
    queryFn: async ({ signal }) => (await client.phones.get(number, { signal })).data,
  });
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
        buttons={<Deeds phone={phone} />}
      />
      {phone.status !== "Active" && <WhyNotActive phone={phone} />}
      <div className="number-columns">
        <Section title="Texts">
          <NumberSettings key={phone.updatedOn} phone={phone} />
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

function factsOf(phone: Phone): readonly (readonly [string, React.ReactNode])[] {
  return [
    ["Since", <Time key="since" at={phone.createdOn} form="day" />],
    ["Changed", <Time key="changed" at={phone.updatedOn} form="day" />],
    ["Config", phone.messagingConfigSid === null ? "none" : <Sid key="config" value={phone.messagingConfigSid} />],
    ["Port order", phone.portOrderSid === null ? "none" : <Sid key="port" value={phone.portOrderSid} />],
  ];
}

/** Who must act next, by the status. */
const TURNS: Record<Phone["status"], string | undefined> = {
  PendingPortIn: "The losing carrier's turn: nothing is to be done until the order asks for something.",
  PendingMessagingConfigAdd: "Your turn: give it a MessagingConfig below.",
  PendingTcrCampaignAdd: "The registry's turn; if its MessagingConfig has no campaign, link one under Campaigns.",
  PendingTcrCampaignChange: "The registry's turn: it becomes Active by itself.",
  Active: undefined,
  Removed: "Take it again under Numbers if it is free.",
};

function WhyNotActive({ phone }: { readonly phone: Phone }) {
  return (
    <Verdict
      tone={phone.status === "Removed" ? "bad" : "warn"}
      what={`It is not Active: ${phone.status}`}
      why={phone.statusReason}
      advice={TURNS[phone.status]}
    >
      {phone.status === "PendingPortIn" && (
        <ButtonLink to="/campaigns" small>
          See the move
        </ButtonLink>
      )}
    </Verdict>
  );
}

function Deeds({ phone }: { readonly phone: Phone }) {
  const navigate = useNavigate();
  const giveBack = useMutation({
    mutationFn: () => client.phones.remove(phone.number),
    onSuccess: () => {
      toast.done(`${phone.number} was given back.`);
      void queries.invalidateQueries({ queryKey: ["phones"] });
      void navigate({ to: "/numbers" });
    },
    onError: (error) => toast.problem("Not given back.", error),
  });
  const ask = async () => {
    const question = `Give ${phone.number} back?`;
    const cost = "Others may take it from then on, and texts and calls to it are no longer yours.";
    if (await confirm({ question, cost, verb: "Give it back" })) giveBack.mutate();
  };
  if (phone.status === "Removed") return null;
  return (
    <>
      <ButtonLink to={`/messages/new?from=${encodeURIComponent(phone.number)}`} icon="send" kind="primary">
        Send a text
      </ButtonLink>
      <Button kind="danger" busy={giveBack.isPending} onClick={() => void ask()}>
        Give it back
      </Button>
    </>
  );
}
