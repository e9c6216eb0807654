/** A telephone number that a telephone dials when it is pressed. */
export function Phone({ number }: { number: string }) {
  return (
    <a className="num" href={`tel:${number.replaceAll(' ', '')}`}>
      {number}
    </a>
  );
}
