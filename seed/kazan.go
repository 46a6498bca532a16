// Kazan: the Kremlin hill, both banks of the Kazanka, and the quarters along the one metro line.

package seed

func kazan() city {
	return city{
		slug: "kazan", name: names{"Kazan", "Казань", "कज़ान"},
		currency: "RUB", priceStep: 750_000, perM2: 165_000, conditioned: 0.3,
		districts: []district{
			{"vakhitovsky", names{"Vakhitovsky", "Вахитовский", "वखीतोव्स्की"}, 44, 52, 1.45, 1890, 1960,
				list("Kremlyovskaya, Ploshchad Tukaya, Sukonnaya Sloboda"),
				list("Bauman Street, Pushkina Street, Karla Marksa Street, Gorkogo Street, Butlerova Street, Ostrovskogo Street")},
			{"staro-tatarskaya", names{"Old Tatar Settlement", "Старо-Татарская слобода", "पुरानी तातार बस्ती"}, 40, 60, 1.3, 1880, 1940,
				list("Ploshchad Tukaya, Sukonnaya Sloboda"),
				list("Kayuma Nasyri Street, Gabdully Tukaya Street, Mardzhani Street, Fatykha Karima Street, Safyan Street")},
			{"novo-savinovsky", names{"Novo-Savinovsky", "Ново-Савиновский", "नोवो-साविनोव्स्की"}, 47, 33, 1.2, 1972, 2015,
				list("Kozya Sloboda, Yashlek"),
				list("Chistopolskaya Street, Yamasheva Avenue, Chuykova Street, Amirkhana Avenue, Absalyamova Street")},
			{"moskovsky", names{"Moskovsky", "Московский", "मोस्कोव्स्की"}, 36, 30, 0.95, 1955, 1985,
				list("Yashlek, Kozya Sloboda, Severny Vokzal"),
				list("Dekabristov Street, Ibragimova Avenue, Vosstaniya Street, Korolenko Street, Gagarina Street")},
			{"kirovsky", names{"Kirovsky", "Кировский", "कीरोव्स्की"}, 22, 42, 0.78, 1935, 1975,
				list("Kozya Sloboda, Kremlyovskaya"),
				list("Krasnokokshayskaya Street, Klary Tsetkin Street, Batyrshina Street, Frunze Street, Bolshaya Street")},
			{"aviastroitelny", names{"Aviastroitelny", "Авиастроительный", "अवियास्त्रोईतेल्नी"}, 50, 13, 0.74, 1936, 1970,
				list("Aviastroitelnaya, Severny Vokzal"),
				list("Lyadova Street, Dementyeva Street, Kopylova Street, Maksimova Street, Belinskogo Street")},
			{"sovetsky", names{"Sovetsky", "Советский", "सोवेत्स्की"}, 64, 48, 1.0, 1960, 1995,
				list("Ametyevo, Sukonnaya Sloboda"),
				list("Sibirsky Trakt, Arbuzova Street, Popova Street, Kosmonavtov Street, Nikolaya Yershova Street")},
			{"azino", names{"Azino", "Азино", "अज़ीनो"}, 80, 60, 0.98, 1992, 2020,
				list("Prospekt Pobedy, Dubravnaya"),
				list("Zakiyeva Street, Fuchika Street, Galii Kayumova Street, Glushko Street, Minskaya Street")},
			{"gorki", names{"Gorki", "Горки", "गोर्की"}, 62, 72, 0.96, 1970, 2000,
				list("Gorki, Prospekt Pobedy"),
				list("Richarda Zorge Street, Tankovaya Street, Pobedy Avenue, Dubravnaya Street, Broneva Street")},
			{"privolzhsky", names{"Privolzhsky", "Приволжский", "प्रिवोल्झ्स्की"}, 50, 76, 0.94, 1962, 1995,
				list("Ametyevo, Gorki, Dubravnaya"),
				list("Magistralnaya Street, Khusaina Mavlyutova Street, Gvardeyskaya Street, Bratyev Kasimovykh Street, Orenburgsky Trakt")},
			{"derbyshki", names{"Derbyshki", "Дербышки", "देर्बिश्की"}, 84, 26, 0.7, 1940, 1980,
				list("Aviastroitelnaya, Severny Vokzal"),
				list("Sovetskaya Street, Pravdy Street, Khalitova Street, Soyuznaya Street, Mira Street")},
			{"salavat-kupere", names{"Salavat Kupere", "Салават Купере", "सलावत कुपेरे"}, 10, 24, 0.72, 2014, 2025,
				list("Kozya Sloboda, Severny Vokzal"),
				list("Ovrazhnaya Street, Aydarova Street, Tulpar Street, Rustema Yakhina Street, Ibragima Gazi Street")},
		},
	}
}
