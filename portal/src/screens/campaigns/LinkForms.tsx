// The forms that link a campaign to a config: create one that names it, keep its id in one name only, or link by hand.

import type { Migration } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { configsQuery } from "../../api/account-queries.ts";
import { client } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Form, SelectField, TextField } from "../../components/form.tsx";
import { Loaded } from "../../components/not-loaded.tsx";
import { useAction } from "../../components/use-action.ts";
import { Problem } from "../../components/verdict.tsx";
import { CAMPAIGN_NOUNS } from "./campaign-queries.ts";

interface FormProps {
  readonly migration: Migration;
  readonly isFirst?: boolean;
}

interface FrameProps {
  readonly verb: string;
  readonly done: string;
  readonly run: () => Promise<unknown>;
  readonly disabled?: boolean;
  /** False for the second of two forms. */
  readonly isFirst?: boolean;
  readonly children: ReactNode;
}

function Frame({ verb, done, run, disabled = false, isFirst = true, children }: FrameProps) {
  const action = useAction({ run, nouns: CAMPAIGN_NOUNS, done: () => done });
  return (
    <Form className="answer-form" onSubmit={action.start}>
      {children}
      {action.error && <Problem what="Not done" error={action.error} />}
      <Button type="submit" kind={isFirst ? "primary" : "quiet"} busy={action.isPending} disabled={disabled}>
        {verb}
      </Button>
    </Form>
  );
}

export function MakeConfigForm({ migration: { tcrCampaignId, campaign }, isFirst = true }: FormProps) {
  const [name, setName] = useState(`Campaign ${tcrCampaignId}`);
  const order = { name, ...(campaign && { tcrCampaignId }) };
  return (
    <Frame
      verb="Make the config"
      done="Made."
      run={() => client.messagingConfigs.create(order)}
      disabled={!name.trim()}
      isFirst={isFirst}
    >
      <TextField
        label="Name of the new config"
        hint="The id anywhere in it, in capitals."
        maxLength={64}
        value={name}
        onChange={setName}
      />
    </Frame>
  );
}

const isFree = ({ tcrCampaignId }: { readonly tcrCampaignId: string | null }) => tcrCampaignId === null;

/** By hand, to any config that is not linked to another campaign. */
export function LinkForm({ migration }: FormProps) {
  const configs = useQuery(configsQuery);
  const [chosen, setChosen] = useState(migration.messagingConfigSid ?? "");
  const link = () => client.campaigns.change(migration.tcrCampaignId, { messagingConfigSid: chosen });
  return (
    <Frame verb="Link it" done="Linked." run={link} disabled={chosen === ""}>
      <Loaded query={configs} what="The configs did not load" rows={1}>
        {(all) => <ConfigChoice label="Config" configs={all.filter(isFree)} value={chosen} onChange={setChosen} />}
      </Loaded>
    </Frame>
  );
}

/** For a campaign that has come, and that no name of a config matches: one that is there, or a new one. */
export function LinkOrMake({ migration }: FormProps) {
  const configs = useQuery(configsQuery);
  return (
    <Loaded query={configs} what="The configs did not load" rows={1}>
      {(all) => {
        const hasFree = all.some(isFree);
        return (
          <>
            {hasFree && <LinkForm migration={migration} />}
            {hasFree && <p className="answer-or dim">Or make one for it:</p>}
            <MakeConfigForm migration={migration} isFirst={!hasFree} />
          </>
        );
      }}
    </Loaded>
  );
}

/** Removes the id from the names of all configs but one, so that automatic linking finds exactly one. */
export function KeepOneForm({ migration: { tcrCampaignId, messagingConfigs } }: FormProps) {
  const [chosen, setChosen] = useState("");
  const unlinked = messagingConfigs.filter(isFree);
  const rename = () =>
    Promise.all(
      unlinked
        .filter(({ sid }) => sid !== chosen)
        .map(({ sid, name }) =>
          client.messagingConfigs.change(sid, { name: name.replaceAll(tcrCampaignId, "").trim() || "Config" }),
        ),
    );
  return (
    <Frame verb="Keep the id in this one" done="The others are renamed." run={rename} disabled={chosen === ""}>
      <ConfigChoice label="The one that is meant" configs={unlinked} value={chosen} onChange={setChosen} />
    </Frame>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly configs: readonly { readonly sid: string; readonly name: string }[];
  readonly value: string;
  readonly onChange: (sid: string) => void;
}

function ConfigChoice({ configs, ...rest }: ChoiceProps) {
  const options = configs.map(({ sid, name }) => [sid, name] as const);
  return <SelectField {...rest} options={[["", "Choose one"], ...options]} />;
}
