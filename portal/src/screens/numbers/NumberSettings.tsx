// Name and MessagingConfig of a number.

import type { Phone } from "@tandem/sdk";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { client } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { toast } from "../../components/toast.tsx";
import { Problem } from "../../components/verdict.tsx";

const CONFIGS_MAX = 1000;

export function NumberSettings({ phone }: { readonly phone: Phone }) {
  const [name, setName] = useState(phone.name ?? "");
  const [configSid, setConfigSid] = useState(phone.messagingConfigSid ?? "");
  const configs = useQuery({
    queryKey: ["configs", "all"],
    queryFn: async ({ signal }) => (await client.messagingConfigs.list({ pageSize: CONFIGS_MAX, signal })).data.items,
  });
  const save = useMutation({
    mutationFn: () =>
      client.phones.change(phone.number, { name: name.trim() || null, messagingConfigSid: configSid || null }),
    onSuccess: () => {
      toast.done("Saved.");
      void queries.invalidateQueries({ queryKey: ["phones"] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const isChanged = name !== (phone.name ?? "") || configSid !== (phone.messagingConfigSid ?? "");
  return (
    <form className="number-form" onSubmit={submit}>
      <Field label="Name" hint="For people; up to 64 characters.">
        {(given) => <Input {...given} maxLength={64} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field label="MessagingConfig" hint="Its campaign, sending times and replies hold for this number.">
        {(given) => (
          <select {...given} className="input" value={configSid} onChange={(event) => setConfigSid(event.target.value)}>
            <option value="">None</option>
            {!configs.data && configSid !== "" && <option value={configSid}>…{configSid.slice(-6)}</option>}
            {configs.data?.map((config) => (
              <option key={config.sid} value={config.sid}>
                {config.tcrCampaignId === null ? config.name : `${config.name} (${config.tcrCampaignId})`}
              </option>
            ))}
          </select>
        )}
      </Field>
      {configs.error && !configs.data && <NotLoaded query={configs} what="The configs did not load" />}
      {save.error && <Problem what="Not saved" error={save.error} />}
      <Button type="submit" busy={save.isPending} disabled={!isChanged || phone.status === "Removed"}>
        Save
      </Button>
    </form>
  );
}
