// Makes a letter of authorization as a PDF form, filled in from an order, with an empty field for the signature. The
// recipient may correct it, sign it on screen or on paper, and send it back.
//
// The form's built-in font has the letters of Western Europe. A name in other letters stays complete as the field's
// value, and the PDF reader is asked to draw it; a reader that cannot draw it shows question marks.

import type { PDFDocument, PDFFont, PDFPage, PDFTextField } from "@cantoo/pdf-lib";
import type { PortDetails } from "../../domain/porting/index.ts";

export interface LoaOrder
  extends Pick<
    PortDetails,
    "losingCarrier" | "accountNumber" | "billingTelephoneNumber" | "subscriber" | "serviceAddress"
  > {
  readonly numbers: readonly string[];
  /** The name of the gaining carrier, as the losing carrier should read it. */
  readonly newCarrier?: string;
}

const PAGE: [number, number] = [612, 792];
const MARGIN = 54;
const WIDTH = PAGE[0] - 2 * MARGIN;
const GAP = 12;
const LABEL_SIZE = 8;
const TEXT_SIZE = 10;
const TEXT_SIZE_MIN = 5;
const FIELD_HEIGHT = 20;
const NUMBER_COLUMNS = 4;

const AUTHORITY =
  "I am the subscriber named above or am authorized to act for it. I ask that the telephone numbers listed in this letter be " +
  "ported from the current carrier to the new carrier, and I authorize the new carrier, and whoever acts for it, to obtain the " +
  "records of these numbers from the current carrier, to place the orders needed, and to move voice and messaging service. " +
  "I understand that service with the current carrier may end for the numbers listed and that its charges for ending it remain mine.";

/** A form of one page, or more pages for many numbers. */
export async function makeLoa(order: LoaOrder): Promise<Uint8Array> {
  // Loaded on demand: it takes half a second and is rarely needed.
  const pdf = await import("@cantoo/pdf-lib");
  const document = await pdf.PDFDocument.create({ updateMetadata: false });
  document.setTitle("Letter of authorization");
  const letter = new Letter(pdf, document, {
    plain: document.embedStandardFont(pdf.StandardFonts.Helvetica),
    bold: document.embedStandardFont(pdf.StandardFonts.HelveticaBold),
  });
  letter.heading("Letter of authorization to port telephone numbers");
  writeParties(letter, order);
  letter.numbers("Telephone numbers to be ported", order.numbers);
  letter.paragraph(AUTHORITY);
  letter.row([
    { name: "signature", label: "Signature of the authorized person", share: 2, height: 2 * FIELD_HEIGHT },
    { name: "date", label: "Date", share: 1, height: 2 * FIELD_HEIGHT },
  ]);
  return document.save({ updateFieldAppearances: false });
}

function writeParties(letter: Letter, order: LoaOrder): void {
  const { subscriber, serviceAddress: place } = order;
  const lines = [
    place.street,
    place.street2,
    `${place.city}, ${place.state} ${place.postalCode}, ${place.country}`,
  ].filter((line) => line !== null);
  letter.row([
    { name: "subscriber", label: `${subscriber.type}: name as on the current carrier's record`, text: subscriber.name },
    { name: "authorizedPerson", label: "Authorized person", text: subscriber.authorizedPerson },
  ]);
  const address = { name: "serviceAddress", label: "Service address (no post box)", text: lines.join("\n") };
  letter.row([{ ...address, height: 3 * FIELD_HEIGHT }]);
  letter.row([
    { name: "losingCarrier", label: "Current carrier", text: order.losingCarrier ?? "" },
    { name: "newCarrier", label: "New carrier", text: order.newCarrier ?? "" },
  ]);
  letter.row([
    { name: "accountNumber", label: "Account number at the current carrier", text: order.accountNumber },
    { name: "billingTelephoneNumber", label: "Billing telephone number", text: order.billingTelephoneNumber ?? "" },
  ]);
}

interface Field {
  readonly name: string;
  readonly label?: string;
  readonly text?: string;
  /** Relative width in the row. */
  readonly share?: number;
  readonly height?: number;
}

type PdfLibrary = typeof import("@cantoo/pdf-lib");

/** Writes from top to bottom and adds a page when one is full. */
class Letter {
  readonly #pdf: PdfLibrary;
  readonly #document: PDFDocument;
  readonly #fonts: { readonly plain: PDFFont; readonly bold: PDFFont };
  readonly #known: ReadonlySet<number>;
  #page: PDFPage;
  #y = PAGE[1] - MARGIN;

  constructor(pdf: PdfLibrary, document: PDFDocument, fonts: { readonly plain: PDFFont; readonly bold: PDFFont }) {
    this.#pdf = pdf;
    this.#document = document;
    this.#fonts = fonts;
    this.#known = new Set(fonts.plain.getCharacterSet());
    this.#page = document.addPage(PAGE);
  }

  heading(text: string): void {
    this.#draw(text, MARGIN, 16, this.#fonts.bold);
    this.#y -= 16 + GAP;
  }

  paragraph(text: string): void {
    const lines = this.#broken(text);
    this.#makeRoom(lines.length * 1.3 * TEXT_SIZE + 2 * GAP);
    for (const line of lines) {
      this.#draw(line, MARGIN, TEXT_SIZE, this.#fonts.plain);
      this.#y -= 1.3 * TEXT_SIZE;
    }
    this.#y -= GAP;
  }

  row(fields: readonly Field[]): void {
    const height = Math.max(...fields.map((field) => field.height ?? FIELD_HEIGHT));
    const labelHeight = fields.some(({ label }) => label !== undefined) ? LABEL_SIZE + 4 : 0;
    this.#makeRoom(labelHeight + height + GAP);
    const shares = fields.reduce((sum, { share = 1 }) => sum + share, 0);
    let x = MARGIN;
    for (const field of fields) {
      const width = ((WIDTH + GAP) * (field.share ?? 1)) / shares - GAP;
      if (field.label !== undefined) this.#draw(field.label, x, LABEL_SIZE, this.#fonts.plain);
      this.#place(field, { x, y: this.#y - labelHeight - height + LABEL_SIZE, width, height });
      x += width + GAP;
    }
    this.#y -= labelHeight + height + GAP;
  }

  numbers(label: string, numbers: readonly string[]): void {
    this.#makeRoom(LABEL_SIZE + FIELD_HEIGHT + 2 * GAP);
    this.#draw(label, MARGIN, LABEL_SIZE, this.#fonts.plain);
    this.#y -= LABEL_SIZE + 4;
    for (let first = 0; first < numbers.length; first += NUMBER_COLUMNS) {
      const cells = Array.from({ length: NUMBER_COLUMNS }, (_, column) => numbers[first + column]);
      const fields = cells.map((text, column) => ({ name: `numbers.${first + column + 1}`, text: text ?? "" }));
      this.row(fields);
      this.#y += GAP - 4;
    }
    this.#y -= GAP;
  }

  #makeRoom(height: number): void {
    if (this.#y - height >= MARGIN) return;
    this.#page = this.#document.addPage(PAGE);
    this.#y = PAGE[1] - MARGIN;
  }

  #place({ name, text = "" }: Field, box: { x: number; y: number; width: number; height: number }): void {
    const field = this.#document.getForm().createTextField(name);
    if (box.height > FIELD_HEIGHT) field.enableMultiline();
    const { rgb } = this.#pdf;
    const look = { borderWidth: 0.5, borderColor: rgb(0.4, 0.4, 0.4), backgroundColor: rgb(0.96, 0.97, 1) };
    field.addToPage(this.#page, { ...box, ...look, font: this.#fonts.plain });
    this.#fill(field, text, box.width - 8);
  }

  #fill(field: PDFTextField, text: string, width: number): void {
    const shown = this.#drawable(text);
    const widest = Math.max(
      1,
      ...shown.split("\n").map((line) => this.#fonts.plain.widthOfTextAtSize(line, TEXT_SIZE)),
    );
    field.setFontSize(Math.max(TEXT_SIZE_MIN, Math.min(TEXT_SIZE, (TEXT_SIZE * width) / widest)));
    field.setText(shown);
    field.updateAppearances(this.#fonts.plain);
    if (shown === text) return;
    const { PDFBool, PDFHexString, PDFName } = this.#pdf;
    field.acroField.setValue(PDFHexString.fromText(text));
    this.#document.getForm().acroForm.dict.set(PDFName.of("NeedAppearances"), PDFBool.True);
  }

  #drawable(text: string): string {
    return [...text].map((char) => (char === "\n" || this.#known.has(char.codePointAt(0) ?? 0) ? char : "?")).join("");
  }

  #broken(text: string): readonly string[] {
    const lines: string[] = [];
    let line = "";
    for (const word of text.split(" ")) {
      const longer = line === "" ? word : `${line} ${word}`;
      if (this.#fonts.plain.widthOfTextAtSize(longer, TEXT_SIZE) <= WIDTH) {
        line = longer;
        continue;
      }
      lines.push(line);
      line = word;
    }
    return [...lines, line];
  }

  #draw(text: string, x: number, size: number, font: PDFFont): void {
    this.#page.drawText(text, { x, y: this.#y - (size - LABEL_SIZE), size, font });
  }
}
