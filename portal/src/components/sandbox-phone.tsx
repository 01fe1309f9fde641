// The sandbox's own telephone: shows the texts that it received, and texts and calls back. Everything it does goes
// through the test kit, and so over the carriers' protocols.

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { client } from "../api/client.ts";
import { Button, IconButton } from "./button.tsx";
import { Input } from "./field.tsx";
import { Form } from "./form.tsx";
import { NotLoaded } from "./not-loaded.tsx";
import { PhoneNumber } from "./phone-number.tsx";
import { useAction } from "./use-action.ts";
import "./sandbox-phone.css";

export const SANDBOX_NUMBER = "+14154740200";
const SHOWN = 20;

interface Shown {
  readonly sid: string;
  readonly text: string;
  readonly at: string;
  /** From our account to the telephone. */
  readonly isForPhone: boolean;
  readonly ours: string;
}

function usePhoneTexts() {
  return useQuery({
    queryKey: ["messages", "sandbox-phone"],
    queryFn: async ({ signal }): Promise<readonly Shown[]> => {
      const [got, wrote] = await Promise.all([
        client.messages.list({ to: SANDBOX_NUMBER, status: "Delivered", pageSize: SHOWN, signal }),
        client.messages.inbound.list({ from: SANDBOX_NUMBER, pageSize: SHOWN, signal }),
      ]);
      const shown = [
        ...got.data.items.map(({ sid, text, from: ours, deliveredOn, createdOn }) => {
          return { sid, text, at: deliveredOn ?? createdOn, isForPhone: true, ours };
        }),
        ...wrote.data.items.map(({ sid, text, to: ours, createdOn: at }) => {
          return { sid, text, at, isForPhone: false, ours };
        }),
      ];
      return shown.sort((one, other) => one.at.localeCompare(other.at)).slice(-SHOWN);
    },
  });
}

export interface SandboxPhoneProps {
  /** The number of the account that the telephone texts and calls. */
  readonly ours: string;
  readonly name: string;
  /**
   * For a telephone that carries the user's voice; without it, the telephone speaks by itself and hangs up after a
   * while.
   */
  readonly softphone?:
    | {
        /** Undefined while it cannot call. */
        readonly onCall: (() => void) | undefined;
        /** Below its name: whether it is connected. */
        readonly line: ReactNode;
        /** Shown instead of everything else during a call. */
        readonly call: ReactNode | undefined;
      }
    | undefined;
}

export function SandboxPhone({ ours, name, softphone }: SandboxPhoneProps) {
  return (
    <div className="device">
      <div className="device-top">
        <span className="strong">Sandbox phone</span>
        <PhoneNumber value={SANDBOX_NUMBER} />
        {softphone?.line}
      </div>
      {softphone?.call ?? <Texts ours={ours} name={name} softphone={softphone} />}
    </div>
  );
}

function Texts({ ours, name, softphone }: SandboxPhoneProps) {
  const texts = usePhoneTexts();
  const [draft, setDraft] = useState("");
  const answer = useAction({
    run: (text: string) => client.sandbox.receiveMessage({ from: SANDBOX_NUMBER, to: ours, text }),
    failed: "The phone could not text.",
  });
  const call = useAction({
    run: () => client.sandbox.receiveCall({ from: SANDBOX_NUMBER, to: ours }),
    done: () => `The phone called ${name}`,
    failed: "The phone could not call.",
  });
  const send = () => {
    if (draft.trim() === "") return;
    answer.start(draft);
    setDraft("");
  };
  return (
    <>
      {texts.data ? (
        <Screen texts={texts.data} ours={ours} />
      ) : (
        <div className="device-screen">
          <NotLoaded query={texts} what="The texts did not load" rows={2} />
        </div>
      )}
      <Form className="device-write" onSubmit={send}>
        <Input
          aria-label="Text from the phone"
          placeholder={`Text to ${ours}`}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
        <IconButton framed icon="send" label="Send from the phone" type="submit" />
      </Form>
      <div className="device-keys">
        <Button
          small
          icon="call"
          busy={call.isPending}
          disabled={softphone !== undefined && softphone.onCall === undefined}
          onClick={softphone?.onCall ?? (() => call.start())}
        >
          Call {name}
        </Button>
        <Button small onClick={() => answer.start("STOP")}>
          STOP
        </Button>
        <Button small onClick={() => answer.start("HELP")}>
          HELP
        </Button>
      </div>
    </>
  );
}

function Screen({ texts, ours }: { readonly texts: readonly Shown[]; readonly ours: string }) {
  if (texts.length === 0) {
    return (
      <div className="device-screen">
        <p className="device-note">No texts yet. The first one lands here about a second after you send it.</p>
        <div className="device-text device-ghost">
          <p>Hello from Tandem</p>
          <span>
            from <PhoneNumber value={ours} />
          </span>
        </div>
      </div>
    );
  }
  return (
    <section
      className="device-screen"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      aria-label="Texts on the phone"
      aria-live="polite"
      ref={(box) => {
        if (box) box.scrollTop = box.scrollHeight;
      }}
    >
      {texts.map((text) => (
        <div key={text.sid} className={text.isForPhone ? "device-text" : "device-text device-own"}>
          <p>{text.text}</p>
          <span>
            {text.isForPhone ? "from" : "to"} <PhoneNumber value={text.ours} />
          </span>
        </div>
      ))}
    </section>
  );
}
