// The forms that link a campaign to a config: create one that names it, keep its id in one name only, or link by hand.

import type { Migration } from "@tandem/sdk";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { client } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { toast } from "../../components/toast.tsx";
import { Problem } from "../../components/verdict.tsx";
import { configsQuery, refreshCampaigns } from "./campaign-queries.ts";

interface FormProps {
  readonly migration: Migration;
}

interface FrameProps {
  readonly verb: string;
  readonly done: string;
  readonly run: () => Promise<unknown>;
  readonly disabled?: boolean;
  readonly children: ReactNode;
}

function Frame({ verb, done, run, disabled = false, children }: FrameProps) {
  const deed = useMutation({
    mutationFn: run,
    onSuccess: () => {
      toast.done(done);
      refreshCampaigns();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    deed.mutate();
  };
  return (
    <form className="answer-form" onSubmit={submit}>
      {children}
      {deed.error && <Problem what="Not done" error={deed.error} />}
      <Button type="submit" kind="primary" busy={deed.isPending} disabled={disabled}>
        {verb}
      </Button>
    </form>
  );
}

export function MakeConfigForm({ migration: { tcrCampaignId, campaign } }: FormProps) {
  const [name, setName] = useState(`Campaign ${tcrCampaignId}`);
  const order = { name, ...(campaign && { tcrCampaignId }) };
  return (
    <Frame
      verb="Make the config"
      done="Made."
      run={() => client.messagingConfigs.create(order)}
      disabled={!name.trim()}
    >
      <Field label="Name of the new config" hint="The id anywhere in it, in capitals.">
        {(given) => <Input {...given} maxLength={64} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
    </Frame>
  );
}

/** By hand, to any config that is not linked to another campaign. */
export function LinkForm({ migration }: FormProps) {
  const configs = useQuery(configsQuery);
  const free = configs.data?.filter(({ tcrCampaignId }) => tcrCampaignId === null);
  const [chosen, setChosen] = useState(migration.messagingConfigSid ?? "");
  const link = () => client.campaigns.change(migration.tcrCampaignId, { messagingConfigSid: chosen });
  return (
    <Frame verb="Link it" done="Linked." run={link} disabled={chosen === ""}>
      {free ? (
        <ConfigChoice label="Config" configs={free} value={chosen} onChange={setChosen} />
      ) : (
        <NotLoaded query={configs} what="The configs did not load" rows={1} />
      )}
    </Frame>
  );
}

/** Removes the id from the names of all configs but one, so that automatic linking finds exactly one. */
export function KeepOneForm({ migration: { tcrCampaignId, messagingConfigs } }: FormProps) {
  const [chosen, setChosen] = useState("");
  const unlinked = messagingConfigs.filter((config) => config.tcrCampaignId === null);
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

function ConfigChoice({ label, configs, value, onChange }: ChoiceProps) {
  return (
    <Field label={label}>
      {(given) => (
        <select {...given} className="input" value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">Choose one</option>
          {configs.map(({ sid, name }) => (
            <option key={sid} value={sid}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
