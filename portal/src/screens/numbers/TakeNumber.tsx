// Numbers that can be taken, by area code or digits; one click takes one.

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Input } from "../../components/field.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Empty, Section } from "../../components/page.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { toast } from "../../components/toast.tsx";
import { Problem } from "../../components/verdict.tsx";

export function TakeNumber({ onClose }: { readonly onClose: () => void }) {
  const [digits, setDigits] = useState("");
  const wanted = digits.replace(/\D/g, "");
  const found = useQuery({
    queryKey: ["phones", "available", wanted],
    queryFn: async ({ signal }) =>
      (await client.phones.available({ ...(wanted && { contains: wanted }), signal })).data,
  });
  const config = useQuery({
    queryKey: ["configs", "first"],
    queryFn: async ({ signal }) => (await client.messagingConfigs.list({ pageSize: 2, signal })).data.items,
  });
  // If there is only one config, the number gets it.
  const only = config.data?.length === 1 ? config.data[0] : undefined;
  const take = useMutation({
    mutationFn: (phone: string) => client.phones.create({ phone, ...(only && { messagingConfigSid: only.sid }) }),
    onSuccess: ({ data }) => {
      toast.done(`${data.number} is yours.`);
      void queries.invalidateQueries({ queryKey: ["phones"] });
    },
  });
  return (
    <Section title="Take a number" aside={<IconButton icon="x" label="Close" onClick={onClose} />}>
      <div className="take-number">
        <Input
          aria-label="Digits it contains"
          className="mono"
          inputMode="numeric"
          placeholder="415, 0123 …"
          value={digits}
          onChange={(event) => setDigits(event.target.value)}
        />
        <span className="mid small">
          {config.data &&
            (only ? `It joins the MessagingConfig ${only.name}.` : "Give it a MessagingConfig afterwards.")}
        </span>
      </div>
      {take.error && <Problem what="Not taken" error={take.error} />}
      {!found.data && <NotLoaded query={found} what="The list did not load" rows={3} />}
      {found.data?.items.length === 0 && <Empty what="None is free like that" why="Try fewer digits." />}
      <ul className="available-numbers">
        {found.data?.items.map(({ number, features }) => (
          <li key={number}>
            <PhoneNumber value={number} />
            <span className="dim small">{features.join(", ")}</span>
            <Button small busy={take.isPending && take.variables === number} onClick={() => take.mutate(number)}>
              Take
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
