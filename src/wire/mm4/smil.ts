// The SMIL presentation of an MMS: one slide for each image, audio or video, with the text on the first. Handsets that
// need a presentation show the parts in this order; everything else is an attachment.

import { tableOf } from "../../base/table.ts";

export interface SmilPart {
  readonly contentType: string;
  readonly contentId: string;
}

const TAGS = tableOf<string>({ image: "img", video: "video", audio: "audio" });

export function writeSmil(textId: string | undefined, media: readonly SmilPart[]): string {
  const shown = media.flatMap(({ contentType, contentId }) => {
    const tag = TAGS.get(contentType.split("/")[0] ?? "");
    return tag === undefined ? [] : [`<${tag} src="cid:${contentId}"${tag === "audio" ? "" : ' region="Image"'}/>`];
  });
  const text = textId === undefined ? "" : `<text src="cid:${textId}" region="Text"/>`;
  const slides = shown.length === 0 ? [text] : shown.map((element, index) => element + (index === 0 ? text : ""));
  const body = slides.map((slide) => `<par dur="5000ms">${slide}</par>`).join("");
  return `<smil><head><layout><root-layout/>${REGIONS}</layout></head><body>${body}</body></smil>`;
}

const REGIONS =
  '<region id="Image" width="100%" height="70%" left="0%" top="0%" fit="meet"/>' +
  '<region id="Text" width="100%" height="30%" left="0%" top="70%" fit="scroll"/>';
