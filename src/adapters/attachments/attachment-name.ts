// A safe name for a fetched file: the server's name for it or the last component of its path, with the extension of its
// real type.

import { MEDIA_TYPES, type MediaType } from "./sniff-type.ts";

const NAME_MAX = 60;

export function mediaName(url: URL, disposition: string | undefined, contentType: MediaType): string {
  const named = /;\s*filename\s*=\s*(?:"([^"]{0,255})"|([^\s;]{1,255}))/i.exec(disposition ?? "");
  const stem = safe(named?.[1] ?? named?.[2] ?? "") || safe(decoded(url.pathname)) || "media";
  return `${stem}.${MEDIA_TYPES[contentType]}`;
}

/** The last path component without its extension, in ASCII, which every phone can show. */
function safe(path: string): string {
  const last = path.split(/[/\\]/).at(-1) ?? "";
  return last
    .replace(/\.[A-Za-z0-9]{1,5}$/, "")
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, NAME_MAX);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
