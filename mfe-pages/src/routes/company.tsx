import { Markdown } from '@colonnade/content/react';
import { BelowFold } from '@colonnade/mfe';
import prose from '@colonnade/mfe/styles/prose.module.css';
import section from '@colonnade/mfe/styles/section.module.css';
import { Fragment, type ReactNode } from 'react';
import content from '../../content/company.md';
import { SitePlan } from '../art/site-plan.tsx';
import { Facts } from '../company/facts.tsx';
import { History } from '../company/history.tsx';
import s from './company.module.css';

/** The company: message, profile, history, access. */
export default function Company(): ReactNode {
  const { title, lede, message, profile, history, access, body } = content;
  return (
    <>
      <div className="head page grid">
        <h1 className="c1-8">{title}</h1>
        <p className="lede c1-8">{lede}</p>
      </div>
      <section className={`${section.section} page grid`} aria-labelledby="message">
        <h2 className="c1-3" id="message">
          {message.heading}
        </h2>
        <div className={`${s.message} c4-10 ${prose.prose}`}>
          <Markdown tree={body} />
          <p className="label">{message.from}</p>
        </div>
      </section>
      <BelowFold>
        <section className={`${section.section} page grid`} aria-labelledby="profile">
          <h2 className="c1-3" id="profile">
            {profile.heading}
          </h2>
          <div className="c4-12">
            <Facts facts={profile.facts} labelledBy="profile" />
          </div>
        </section>
        <History {...history} />
        <section className={`${section.section} page grid`} aria-labelledby="access">
          <div className={`${s.access} c1-4 ${prose.prose}`}>
            <h2 id="access">{access.heading}</h2>
            <p>
              {access.address.map((line) => (
                <Fragment key={line}>
                  {line}
                  <br />
                </Fragment>
              ))}
            </p>
            {access.directions.map((text) => (
              <p key={text}>{text}</p>
            ))}
            <p>{access.contact}</p>
          </div>
          <div className={`${s.plan} c5-12`}>
            <SitePlan {...access.plan} />
          </div>
        </section>
      </BelowFold>
    </>
  );
}
