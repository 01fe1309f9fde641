// Name and MessagingConfig of a number.

import type { Phone } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { configsQuery } from "../../api/account-queries.ts";
import { client } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Form, SelectField, TextField } from "../../components/form.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { useAction } from "../../components/use-action.ts";
import { Problem } from "../../components/verdict.tsx";

export function NumberSettings({ phone }: { readonly phone: Phone }) {
  const [name, setName] = useState(phone.name ?? "");
  const [configSid, setConfigSid] = useState(phone.messagingConfigSid ?? "");
  const configs = useQuery(configsQuery);
  const save = useAction({
    run: () => client.phones.change(phone.number, { name: name.trim() || null, messagingConfigSid: configSid || null }),
    nouns: ["phones"],
    done: () => "Saved.",
  });
  const known = configs.data?.map((config) => {
    const words = config.tcrCampaignId === null ? config.name : `${config.name} (${config.tcrCampaignId})`;
    return [config.sid, words] as const;
  });
  const own = configSid === "" ? [] : [[configSid, `…${configSid.slice(-6)}`] as const];
  const isChanged = name !== (phone.name ?? "") || configSid !== (phone.messagingConfigSid ?? "");
  return (
    <Form className="number-form" onSubmit={save.start}>
      <TextField label="Name" hint="For people; up to 64 characters." maxLength={64} value={name} onChange={setName} />
      <SelectField
        label="MessagingConfig"
        hint="Its campaign, sending times and replies hold for this number."
        value={configSid}
        onChange={setConfigSid}
        options={[["", "None"], ...(known ?? own)]}
      />
      <Link className="link small" to={configSid === "" ? "/configs/new" : `/configs/${configSid}`}>
        {configSid === "" ? "Make a MessagingConfig" : "Its settings"}
      </Link>
      {configs.error && !configs.data && <NotLoaded query={configs} what="The configs did not load" />}
      {save.error && <Problem what="Not saved" error={save.error} />}
      <Button type="submit" busy={save.isPending} disabled={!isChanged || phone.status === "Removed"}>
        Save
      </Button>
    </Form>
  );
}
