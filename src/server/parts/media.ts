// The media of received messages: where their files are kept, the links to them, and in a worker the removal of files
// whose messages were deleted.

import { hash } from "node:crypto";
import { mediaLinks } from "../../adapters/attachments/attachment-links.ts";
import { openMediaFiles } from "../../adapters/attachments/media-settings.ts";
import type { MediaRouteDeps } from "../../adapters/http/routes/messaging/media-route.ts";
import type { MessageRouteDeps } from "../../adapters/http/routes/messaging/messages.ts";
import { openRawDirectory } from "../../adapters/recordings/raw-directory.ts";
import { expectMedia, findMedia, hasUnusedMedia, unusedMedia } from "../../adapters/store/messaging/attachments.ts";
import { type MediaKeeper, removeMedia } from "../../domain/messaging/index.ts";
import type { Context } from "../running/part.ts";
import { reconcileTask } from "../running/reconcile.ts";
import type { Task } from "../running/tasks.ts";

const REMOVE_MS = 60_000;

export interface OpenMedia extends Pick<MediaRouteDeps, "find" | "isGood"> {
  /** A link that needs no credentials until it expires. */
  readonly urlOf: MessageRouteDeps["mediaUrl"];
  readonly keeper: MediaKeeper;
  /** Of a worker. */
  readonly tasks: readonly Task[];
}

export async function openMedia(context: Context): Promise<OpenMedia> {
  const { config, store, box, clock, ids, publicUrl } = context;
  const { dataDir, file: settings, secret } = config;
  const files = await openMediaFiles({ settings: settings.media, dataDir, environment: secret });
  const home = { host: openRawDirectory(dataDir).host, isShared: settings.media !== undefined };
  const unused = unusedMedia(store.db, home);
  const stopping = new AbortController();
  const links = mediaLinks("media links", box);
  return {
    async find(sid) {
      const record = await findMedia(store.db, sid);
      if (!record) return undefined;
      const { accountSid, contentType, name, sizeBytes: size, sha256, file } = record;
      const content = () => files.read(file ?? sha256).catch(() => "away" as const);
      return { accountSid, contentType, name, size, content };
    },
    isGood: (sid, link) => links.verify(sid, link, clock.now()),
    urlOf(sid) {
      const { expires, signature } = links.sign(sid, clock.now());
      return `${publicUrl()}/v1/Media/${sid}?expires=${expires}&signature=${signature}`;
    },
    keeper: {
      async keep(bytes) {
        const file = ids.sid("ME");
        await expectMedia(store.db, file, home, clock.now());
        await files.put(file, bytes);
        return { file, sha256: hash("sha256", bytes, "hex") };
      },
    },
    tasks: [
      reconcileTask(context, {
        name: "remove-media",
        everyMs: REMOVE_MS,
        when: hasUnusedMedia(home),
        cancel: async () => stopping.abort(),
        async run(now) {
          const { failure, ...counts } = await removeMedia({ unused, files }, now, stopping.signal);
          return { counts, ...(failure === undefined ? {} : { failure }) };
        },
      }),
    ],
  };
}
