import type { ReactNode } from 'react';

/** The owner's name, drawn: another owner puts another drawing here. The o carries a zero mark. */
export function Wordmark(): ReactNode {
  return (
    <svg className="wordmark" viewBox="0 0 276 72" aria-hidden="true">
      <path d="M6 70V26M6 47a18 18 0 0 1 36 0V70M58.5 48a18.5 18.5 0 1 0 37 0a18.5 18.5 0 1 0-37 0M116 70V2M138 70V14M215 70V26M237 70V2M240 50L266 26M249 42L269 70" />
      <path strokeLinejoin="bevel" d="M158 26.5L177 68 196 26.5" />
      <path className="art-a" d="M77 34V48" />
    </svg>
  );
}
