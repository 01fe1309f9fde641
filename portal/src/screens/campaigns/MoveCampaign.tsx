// Begins a move, in the order of its steps: a config that names the campaign, the numbers with their letter of
// authorization, and what to do in the registry. It can be interrupted and resumed: nothing is done twice.

import type { MessagingConfig } from "@tandem/sdk";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { accountQuery, configsQuery } from "../../api/account-queries.ts";
import { client } from "../../api/client.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Form, TextField } from "../../components/form.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { PageHead, Section } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { useAction } from "../../components/use-action.ts";
import { Problem } from "../../components/verdict.tsx";
import { AutoLink } from "./AutoLink.tsx";
import { CnpId } from "./CnpId.tsx";
import { CAMPAIGN_NOUNS } from "./campaign-queries.ts";
import { filesOf } from "./FileField.tsx";
import type { NamedConfig } from "./link-preview.ts";
import { PortFields } from "./PortFields.tsx";
import { Preflight } from "./Preflight.tsx";
import { EMPTY_PORT, type PortDraft, portOf } from "./port-draft.ts";
import { preflight } from "./preflight-check.ts";

const CAMPAIGN_ID = /^C[A-Z0-9]{6,7}$/;

export function MoveCampaign({ campaign }: { readonly campaign: string }) {
  usePlace([{ label: "Campaigns", to: "/campaigns" }, { label: "Move a campaign" }]);
  const navigate = useNavigate();
  const [id, setId] = useState(campaign);
  const [name, setName] = useState<string>();
  const [port, setPort] = useState<PortDraft>(EMPTY_PORT);
  const known = useQuery(configsQuery);
  const configs = known.data ?? [];
  const config = meantConfig(id, configs);
  const order = portOf(port);
  const newName = name ?? id;
  const move = useAction({
    run: async () => {
      const { sid } = config ?? (await client.messagingConfigs.create({ name: newName })).data;
      if (order.phones.length > 0) {
        await client.portIn.submit({ ...order, messagingConfigSid: sid }, await filesOf(port.files));
      }
    },
    nouns: CAMPAIGN_NOUNS,
    done: () => (order.phones.length > 0 ? "The numbers are ordered." : "The config is made."),
    onDone: () => void navigate({ to: `/migrations/${id}` }),
  });
  const numbers = order.phones.map(({ number }) => number);
  const look = useMutation({ mutationFn: () => preflight(config && id, numbers) });
  const isKnown = CAMPAIGN_ID.test(id);
  if (!known.data) return <NotLoaded query={known} what="The configs did not load" />;
  return (
    <Form className="move" onSubmit={move.start}>
      <PageHead
        title="Move a campaign here"
        sub="Outbound texts pause for minutes, inbound ones not at all"
        buttons={<ButtonLink to="/campaigns">Back to the list</ButtonLink>}
      />
      <Section title="1. The config that names it">
        <ConfigFields id={id} onId={setId} config={config} name={newName} onName={setName} configs={configs} />
      </Section>
      <Section title="2. The numbers" count={order.phones.length}>
        <PortFields draft={port} onChange={(change) => setPort((before) => ({ ...before, ...change }))} />
      </Section>
      <Section title="3. In the registry">
        <RegistryNote />
      </Section>
      {look.data && (
        <Section title="What was found" aside="nothing was changed">
          <Preflight findings={look.data} />
        </Section>
      )}
      {look.error && <Problem what="Not looked at" error={look.error} />}
      {move.error && <Problem what="Not ordered" error={move.error} />}
      <footer className="move-buttons">
        <Button type="submit" kind="primary" busy={move.isPending} disabled={!isKnown || (!config && !newName.trim())}>
          {order.phones.length > 0 ? "Order the numbers" : "Make the config only"}
        </Button>
        <Button busy={look.isPending} disabled={!config && numbers.length === 0} onClick={() => look.mutate()}>
          Only look
        </Button>
      </footer>
    </Form>
  );
}

/** The config linked to the campaign, or an unlinked one that names it. */
function meantConfig(id: string, configs: readonly MessagingConfig[]): MessagingConfig | undefined {
  if (!CAMPAIGN_ID.test(id)) return undefined;
  const linked = configs.find(({ tcrCampaignId }) => tcrCampaignId === id);
  return linked ?? configs.find(({ name, tcrCampaignId }) => tcrCampaignId === null && name.includes(id));
}

interface ConfigFieldsProps {
  readonly id: string;
  readonly onId: (id: string) => void;
  readonly config: MessagingConfig | undefined;
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly configs: readonly MessagingConfig[];
}

function ConfigFields({ id, onId, config, name, onName, configs }: ConfigFieldsProps) {
  const fault = id !== "" && !CAMPAIGN_ID.test(id) && "C and 6 or 7 letters or digits, as the registry writes it.";
  const draft: NamedConfig = { sid: "new", name, tcrCampaignId: null };
  return (
    <>
      <div className="move-fields">
        <TextField
          label="Campaign id"
          hint="As the registry writes it, such as CABC123."
          fault={fault}
          className="mono"
          placeholder="CABC123"
          value={id}
          onChange={(typed) => onId(typed.trim().toUpperCase())}
        />
        {config ? (
          <p className="move-note mid">
            <b className="strong">{config.name}</b> is taken: it is there already, and names the campaign.
          </p>
        ) : (
          <TextField
            label="Name of the new config"
            hint="With the id anywhere in it, in capitals: that links it."
            maxLength={64}
            value={name}
            onChange={onName}
          />
        )}
      </div>
      <h3 className="move-sub">
        Automatic link <span className="dim">when the campaign comes</span>
      </h3>
      <AutoLink campaign={CAMPAIGN_ID.test(id) ? id : ""} configs={config ? configs : [draft, ...configs]} />
    </>
  );
}

function RegistryNote() {
  const account = useQuery(accountQuery);
  if (!account.data) return <NotLoaded query={account} what="Our CNP id did not load" rows={1} />;
  return (
    <div className="move-registry">
      <CnpId value={account.data.upstreamCnpId} />
      <p className="mid">
        Choose it as the campaign's new CNP in the registry, in its portal or with{" "}
        <span className="mono">migrateCnp</span>. Best when the losing carrier has agreed to a date, not days before: a
        campaign that has left the previous partner can no longer send there.
      </p>
    </div>
  );
}
