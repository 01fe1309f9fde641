// Messages: why did this not arrive? `/messages` is the list, `/messages/+1…` a conversation, `/messages/OM…` the
// conversation of one message with its explanation, `/messages/new` a text to a new recipient.

import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Empty } from "../../components/page.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { usePlace } from "../../components/place.ts";
import { useRouteParams } from "../../components/route-params.ts";
import { ShortSid } from "../../components/sid.tsx";
import { Conversations } from "./Conversations.tsx";
import { MessageList } from "./MessageList.tsx";
import { textQuery } from "./message-queries.ts";
import { NewText } from "./NewText.tsx";
import { Thread } from "./Thread.tsx";
import { Why } from "./Why.tsx";
import "./messages.css";

const SID = /^(OM|IM)[0-9a-f]{32}$/;

export function MessagesScreen() {
  const { id } = useRouteParams("/messages/$id");
  if (id === "") return <ListPage />;
  if (id === "new") return <NewPage />;
  if (SID.test(id)) return <MessagePage sid={id} />;
  return <ConversationPage theirs={id} />;
}

function ListPage() {
  usePlace([{ label: "Messages" }]);
  return (
    <div className="messages messages-list">
      <h1 className="vh">Messages</h1>
      <Conversations current={undefined} />
      <MessageList />
    </div>
  );
}

function NewPage() {
  usePlace([{ label: "Messages", to: "/messages" }, { label: "New text" }]);
  return (
    <div className="messages messages-two">
      <h1 className="vh">New text</h1>
      <Conversations current={undefined} />
      <NewText />
    </div>
  );
}

function ConversationPage({ theirs }: { readonly theirs: string }) {
  usePlace([
    { label: "Messages", to: "/messages" },
    { label: theirs, shown: <PhoneNumber value={theirs} /> },
  ]);
  return (
    <div className="messages messages-two">
      <h1 className="vh">Conversation with {theirs}</h1>
      <Conversations current={theirs} />
      <Thread theirs={theirs} chosen={undefined} why={undefined} />
    </div>
  );
}

function MessagePage({ sid }: { readonly sid: string }) {
  const query = useQuery(textQuery(sid));
  const { data: text } = query;
  const navigate = useNavigate();
  usePlace([
    { label: "Messages", to: "/messages" },
    ...(text
      ? [{ label: text.theirs, shown: <PhoneNumber value={text.theirs} />, to: `/messages/${text.theirs}` }]
      : []),
    { label: `${sid.slice(0, 2)}…${sid.slice(-6)}`, shown: <ShortSid value={sid} />, short: "Message" },
  ]);
  if (text === undefined) return <NotLoaded query={query} what="The message did not load" />;
  if (!text) return <Empty what="There is no such message" why="It was deleted, or its sid is wrong." />;
  const close = () => void navigate({ to: `/messages/${text.theirs}` });
  const why = <Why text={text} onClose={close} />;
  return (
    <div className="messages messages-three">
      <h1 className="vh">Conversation with {text.theirs}</h1>
      <Conversations current={text.theirs} />
      <Thread theirs={text.theirs} chosen={sid} why={why} />
    </div>
  );
}
