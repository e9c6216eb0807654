/** Company news up to 2025 besides the reports. Format: see `parse` in drafts.ts. */
export const englishCompany = `
2025-10-23 company/plain four-new-signatories
Four colleagues may now sign certificates
They came from assembly and engraving and have been trained for eleven months. The laboratory has 41 people.
Whoever has built micrometers for nine years knows where to look. What had to be learned was the arithmetic of uncertainty and the habit of writing everything down.

2025-01-16 company/site heat-from-hardening
Heat from the hardening shop warms eighty flats
The furnaces give off 900 megawatt-hours a year, which until now went up the stack.
The pipe to the municipal network is 140 metres long. Its price was shared between the town and us and will be back in seven years.

2023-08-17 company/people apprentices-2023
Eight apprentices begin on Monday
Five will learn scale engraving, three lapping. Two of them are over thirty and have another trade already.
On the first day each is given a block of steel, a file and a week. At the end the block should be a cube; nobody’s ever is.

2022-06-16 company/plain quiet-pavement
The street past the measuring room is being paved anew
Lorries on cobbles could be seen on the comparator. From July they go round by the harbour.
The town has laid asphalt that swallows a part of the shaking. In the figures, the noise below 10 hertz has fallen to a quarter.

2021-08-26 company/plain managing-director
The board appoints a new managing director
The head of production takes over on 1 January. The present managing director retires after fourteen years.
The board looked inside and outside the house and thanks all who took the trouble to apply. The head of the lapping shop becomes head of production.

2019-06-27 company/plain employee-foundation
Shares pass to the employee foundation
The founding families have sold 62 per cent of the shares to a foundation of the employees. Name, place and people stay.
The price was set by two auditors who had not worked for us before. It is paid over twelve years, out of dividends.
The foundation has one aim in its statutes: that instruments for measuring length continue to be made in Ängsholm. It may not sell its shares as long as that is possible.
What this means for customers can be said briefly: nothing. For the rest, see [Company](/company).

2018-08-30 company/plain open-bench
Open bench: an evening for anyone who wants to try
Every last Wednesday of the month visitors may scrape, lap and read scales, with someone beside them.
It began as an evening for the families of apprentices. Last time there were forty people, among them two dentists and a violin maker.

2017-10-19 company/plain iso-9001-2015
ISO 9001:2015 and ISO 14001:2015 confirmed
Both certificates have been renewed to the new standards, without a deviation.
What the auditor liked best was the shelf with wrong parts. Each has a label that says what went wrong and since when it no longer can.

2016-03-10 company/plain fifty-years
Fifty years: the works are open on 14 March
From 10 to 16 the whole house can be seen, even the room at 20.0 °C, ten persons at a time.
The net loft in which it began now stands by the harbour and will be open too. There will be coffee, and a scale to be read: whoever gets it right to the line has it engraved with their name.

2015-01-22 company/people apprentices-2015
Why we still teach engraving by hand
A laser cuts our scales since 1996. Apprentices begin with a burin all the same, for four months.
Whoever has cut a bad line sees one. The laser does not look at what it does; somebody has to.

2014-08-21 company/site store-moved
The store for spare parts moves under one roof
Thirty-one thousand parts for instruments since 1966 have found a place in the old smithy.
Until now a ratchet for the M1 lay in the cellar, one for the M2 under the roof. An order now takes ten minutes to pick instead of an hour.

2013-10-10 company/plain tokyo-office
Tokyo office opens
Three people take care of sales and take in instruments for calibration, in Japanese and during Japanese working hours.
We have sold to Japan since 1979, by letter, by telex, by fax. Customers have been patient. Now somebody can answer on the same day.
The office keeps a stock of 200 order numbers. Instruments for calibration travel to Ängsholm twice a month and are back after nineteen days.

2012-04-19 company/plain lodz-workshop
The workshop in Łódź moves to a larger floor
Six people repair what is sent in from twelve countries. The new rooms have a north light and a floor that does not shake.
The house is a former spinning mill. Its cast-iron columns stand 5.00 metres apart, to within two millimetres; we have measured them.

2011-09-15 company/plain iso-14001
Environmental management certified
We meet ISO 14001. The first aim is to need no trichloroethylene at all, and it has been met since June.
Parts are now cleaned in hot water with soap, in three baths. It takes four minutes longer.

2010-08-19 company/people apprentices-again
Apprentices again after a year without
Four young people begin in August. In 2009 we had none, which we would not do again.
A year left out is seen three years later, when nobody comes out of training and somebody retires.

2009-03-19 company/plain short-time
Four days a week until autumn
Orders have fallen by a third. We work less instead of being fewer.
Everyone from the managing director to the store works four days and is paid for four and a half. The fifth day is free; the canteen stays open for those who come all the same.
`;
