import { customerWords as words } from "../../modules/access/customer-words.ts";

/** Where the number and the reference number stand on a card: a sketch, with no likeness of the real one. */
export function MedicareCardPicture() {
  return (
    <svg
      className="pw-card-picture"
      viewBox="0 0 320 190"
      role="img"
      aria-label={words("and_here.card_picture")}
    >
      <rect x="2" y="2" width="316" height="186" rx="14" className="pw-card-edge" />
      <text x="22" y="38" className="pw-card-small">
        medicare
      </text>
      <rect x="16" y="56" width="230" height="34" rx="6" className="pw-card-mark" />
      <text x="26" y="80" className="pw-card-number">
        2123 45670 1
      </text>
      <text x="252" y="78" className="pw-card-label">
        Number
      </text>
      <rect x="16" y="102" width="30" height="62" rx="6" className="pw-card-mark" />
      <text x="26" y="126" className="pw-card-number">
        1
      </text>
      <text x="26" y="154" className="pw-card-number">
        2
      </text>
      <text x="58" y="125" className="pw-card-name">
        ALEX A CITIZEN
      </text>
      <text x="58" y="153" className="pw-card-name">
        SAM B CITIZEN
      </text>
      <text x="16" y="181" className="pw-card-label">
        ▲ IRN
      </text>
    </svg>
  );
}
