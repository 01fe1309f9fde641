// Where the calls of a number go, and whether they are recorded.

import type { VoiceSettings } from "@tandem/sdk";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { dataQuery, queries } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { Form, TextField } from "../../components/form.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { toast } from "../../components/toast.tsx";
import { Problem } from "../../components/verdict.tsx";

export function VoiceForm({ number }: { readonly number: string }) {
  const query = useQuery(dataQuery(["phones", "voice", number], (options) => client.phones.voice(number, options)));
  if (!query.data) return <NotLoaded query={query} what="The settings did not load" rows={2} />;
  return <Settings key={JSON.stringify(query.data)} number={number} settings={query.data} />;
}

function Settings({ number, settings }: { readonly number: string; readonly settings: VoiceSettings }) {
  const [target, setTarget] = useState(settings.callsForwardedTo ?? "");
  const [isRecorded, setRecorded] = useState(settings.recordInboundCalls);
  const save = useMutation({
    mutationFn: () =>
      client.phones.replaceVoice(number, { callsForwardedTo: target.trim() || null, recordInboundCalls: isRecorded }),
    onSuccess: () => {
      toast.done("Saved.");
      void queries.invalidateQueries({ queryKey: ["phones", "voice", number] });
    },
  });
  const isChanged = target !== (settings.callsForwardedTo ?? "") || isRecorded !== settings.recordInboundCalls;
  return (
    <Form className="number-form" onSubmit={() => save.mutate()}>
      <TextField
        label="Calls go to"
        hint="A number, or a SIP address such as sip:alice@example.com. Empty: the inbound-call webhook answers with a script."
        className="mono"
        value={target}
        onChange={setTarget}
      />
      <label className="number-check">
        <input type="checkbox" checked={isRecorded} onChange={(event) => setRecorded(event.target.checked)} />
        Record calls, unless a script says otherwise
      </label>
      {save.error && <Problem what="Not saved" error={save.error} />}
      <Button type="submit" busy={save.isPending} disabled={!isChanged}>
        Save
      </Button>
    </Form>
  );
}
