import drawing from '@colonnade/mfe/styles/drawing.module.css';
import type { ReactNode } from 'react';
import { Calliper } from '../art/calliper.tsx';
import s from './hero.module.css';

interface HeroProps {
  heading: string;
  lede: string;
  /** What stands between two asterisks is set in the accent colour. */
  caption: string;
}

/** The page's claim, and a calliper as its proof: drawn to scale, it reads what the caption says. */
export function Hero({ heading, lede, caption }: HeroProps): ReactNode {
  return (
    <section className={s.hero}>
      <div className="page grid">
        <h1 className="c1-8">{heading}</h1>
        <p className="lede c9-12">{lede}</p>
      </div>
      <figure className={s.plate}>
        <div className="page">
          <Calliper />
        </div>
        <figcaption className={`${s.note} page grid`}>
          {/* Every second part lay between asterisks. */}
          <p className={drawing.caption}>{caption.split('*').map((part, i) => (i % 2 === 1 ? <b key={part}>{part}</b> : part))}</p>
        </figcaption>
      </figure>
    </section>
  );
}
