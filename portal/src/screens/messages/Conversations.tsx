// The conversations, the latest first. Hidden on a phone while a conversation is open.

import { Link, useNavigate } from "@tanstack/react-router";
import { queries } from "../../api/queries.ts";
import { Button, ButtonLink, IconButton } from "../../components/button.tsx";
import { Input } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { readerQuery } from "../../components/number-reader.ts";
import { Empty } from "../../components/page.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { useSearchState } from "../../components/search-state.ts";
import { Shape } from "../../components/shape.tsx";
import { markOf, messageStatus } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { type Conversation, type Text, useConversations } from "./message-queries.ts";

const FAILED = new Set(["Failed", "Expired", "Unknown"]);

const hasFailed = ({ last }: Conversation) => last.sent !== undefined && FAILED.has(messageStatus(last.sent));

export function Conversations({ current }: { readonly current: string | undefined }) {
  const query = useConversations();
  const [{ find: words = "", failed }, change] = useSearchState();
  const onlyFailed = failed !== undefined;
  const navigate = useNavigate();
  // The filter stays when a conversation is opened.
  const filter = new URLSearchParams({ ...(words && { find: words }), ...(failed && { failed }) }).toString();
  const kept = filter && `?${filter}`;
  const wanted = words.trim().toLowerCase();
  const shown = (query.data ?? []).filter(
    (conversation) =>
      (!onlyFailed || hasFailed(conversation)) &&
      (wanted === "" ||
        conversation.theirs.includes(wanted.replace(/[\s().-]/g, "")) ||
        conversation.last.text.toLowerCase().includes(wanted)),
  );
  const jump = async () => {
    const { read } = await queries.ensureQueryData(readerQuery);
    const id = read(words) ?? words.trim();
    if (/^(OM|IM)[0-9a-f]{32}$|^\+/.test(id)) void navigate({ to: `/messages/${id}` });
    else if (shown[0]) void navigate({ to: `/messages/${shown[0].theirs}` });
  };
  return (
    <aside className="conversations" aria-label="Conversations">
      <Form className="conversations-head" onSubmit={() => void jump()}>
        <Input
          aria-label="Find a conversation"
          placeholder="Number, words, or OM…"
          value={words}
          onChange={(event) => change({ find: event.target.value || undefined })}
        />
        <IconButton
          icon="filter"
          framed
          label="Only with failures"
          aria-pressed={onlyFailed}
          onClick={() => change({ failed: onlyFailed ? undefined : "yes" })}
        />
        <span className="only-phone">
          <IconButton icon="send" framed label="Send a text" onClick={() => void navigate({ to: "/messages/new" })} />
        </span>
      </Form>
      {!query.data && <NotLoaded query={query} what="The conversations did not load" rows={8} />}
      {query.data && shown.length === 0 && (
        <NoConversation
          isFiltered={query.data.length > 0}
          onReset={() => change({ find: undefined, failed: undefined })}
        />
      )}
      <ul>
        {shown.map(({ theirs, last }) => (
          <li key={theirs}>
            <Link to={`/messages/${theirs}${kept}`} aria-current={theirs === current ? "true" : undefined}>
              <span className="conversation-line">
                <b>
                  <PhoneNumber value={theirs} />
                </b>
                <Time at={last.at} form="ago" />
              </span>
              <LastText text={last} />
            </Link>
          </li>
        ))}
      </ul>
    </aside>
  );
}

function LastText({ text }: { readonly text: Text }) {
  const mark = text.sent && markOf("message", messageStatus(text.sent));
  const words = text.text || (text.mediaUrls.length > 0 ? "Picture" : "");
  return (
    <span className="conversation-last">
      {mark && <Shape name={mark.shape} tone={mark.tone} label={mark.word} />}
      <span className="cut">{text.isOut ? `You: ${words}` : words}</span>
    </span>
  );
}

function NoConversation({ isFiltered, onReset }: { readonly isFiltered: boolean; readonly onReset: () => void }) {
  if (!isFiltered) {
    return (
      <Empty what="No texts yet" why="Everyone you text, or who texts you, shows here.">
        <ButtonLink to="/messages/new" small>
          Write the first
        </ButtonLink>
      </Empty>
    );
  }
  return (
    <Empty what="None of them">
      <div className="row">
        <Button small onClick={onReset}>
          Show all
        </Button>
      </div>
    </Empty>
  );
}
