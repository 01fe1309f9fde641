// The media of a received text: pictures as they are, in full in a dialog; anything else to save. Each with its type
// and size. Only from our own address and with this page's session; other addresses are shown as text, never loaded.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pageHeaders } from "../../api/client.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Mono } from "../../components/words.tsx";

/** Types that browsers draw and in which nothing runs. */
const PICTURES = /^image\/(png|jpeg|gif|webp|bmp)$/i;
const OWN = /^\/(?:messaging\/)?v1\/Media\/(ME[0-9a-f]{32})$/i;
const SIZES = ["bytes", "KB", "MB"] as const;

/** The path of media that this server keeps; undefined for those elsewhere. */
function ownPath(url: string): string | undefined {
  const [, sid] = (URL.canParse(url) && OWN.exec(new URL(url).pathname)) || [];
  return sid && `/v1/Media/${sid}`;
}

interface About {
  readonly type: string;
  readonly bytes: number;
}

const aboutQuery = (path: string) => ({
  queryKey: ["media", path],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<About | null> => {
    const { ok, headers } = await fetch(path, { method: "HEAD", headers: pageHeaders(), signal });
    const type = (headers.get("Content-Type") ?? "").split(";", 1)[0] ?? "";
    return ok ? { type, bytes: Number(headers.get("Content-Length")) } : null;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

function sizeOf(bytes: number): string {
  const step = Math.min(SIZES.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** step).toFixed(step === 0 ? 0 : 1)} ${SIZES[step]}`;
}

export function Media({ url }: { readonly url: string }) {
  const path = ownPath(url);
  return path === undefined ? <span className="bubble-media mono">{url}</span> : <OwnMedia path={path} />;
}

function OwnMedia({ path }: { readonly path: string }) {
  const { data: about, isPending } = useQuery(aboutQuery(path));
  const [isOpen, setOpen] = useState(false);
  if (!about) return <span className="bubble-media dim">{isPending ? "A file" : "A file that is gone"}</span>;
  const words = `${about.type}, ${sizeOf(about.bytes)}`;
  if (!PICTURES.test(about.type)) {
    return (
      <a className="bubble-media link" href={path} download>
        Save the file: {words}
      </a>
    );
  }
  return (
    <>
      <button type="button" className="bubble-picture" onClick={() => setOpen(true)}>
        <img src={path} alt={`Received: ${words}`} loading="lazy" />
      </button>
      {isOpen && (
        <Dialog label="Picture" onClose={() => setOpen(false)}>
          <figure className="picture">
            <img src={path} alt="Received" />
            <figcaption>
              <Mono>{words}</Mono>{" "}
              <a className="link" href={path} download>
                Save it
              </a>
            </figcaption>
          </figure>
        </Dialog>
      )}
    </>
  );
}
