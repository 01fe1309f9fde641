// The small form that gives a view its name: a new one, or another one.

import { useState } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Form, TextField } from "./form.tsx";
import { Problem } from "./verdict.tsx";
import { readableAddress } from "./view-address.ts";
import "./name-view.css";

const NAME_MAX = 80;

export interface NameViewProps {
  /** "Save this view" */
  readonly title: string;
  readonly verb: string;
  readonly failed: string;
  readonly address: string;
  readonly name: string;
  readonly action: {
    readonly isPending: boolean;
    readonly error: unknown;
    readonly start: (name: string) => void;
  };
  readonly onClose: () => void;
}

export function NameView({ title, verb, failed, address, name: before, action, onClose }: NameViewProps) {
  const [name, setName] = useState(before);
  return (
    <Dialog label={title} onClose={onClose}>
      <Form className="name-view" onSubmit={() => action.start(name.trim())}>
        <h2>{title}</h2>
        <p className="mono small mid">{readableAddress(address)}</p>
        <TextField label="Name" value={name} onChange={setName} maxLength={NAME_MAX} autoFocus />
        {action.error !== null && <Problem what={failed} error={action.error} />}
        <div className="name-view-buttons">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={action.isPending} disabled={name.trim() === ""}>
            {verb}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
